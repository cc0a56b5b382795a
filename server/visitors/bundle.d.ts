/** The module of the pages, for a browser. `dashboard/build.ts` writes it into `bundle.js`, in `dist`. */
export declare const script: string;
