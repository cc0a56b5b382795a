/** The files of the dashboard for the browser. `build.ts` writes them as a module, `bundle.js`, in `dist`. */
export declare const script: string;
export declare const style: string;
export declare const icon: string;
