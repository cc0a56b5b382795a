/** The module of the pages, for a browser. The build makes it beside this file in `dist`. */
export declare const script: string;
