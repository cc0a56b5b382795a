/** The files of the dashboard for the browser. `build.ts` makes the module beside this one in `dist`. */
export declare const script: string;
export declare const style: string;
export declare const icon: string;
