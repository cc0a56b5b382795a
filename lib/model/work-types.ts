/** The options of `work`. */
export interface WorkOptions {
  /** The seconds from the begin of a sweep of the audiences to that of the next: 60 to 86,400; 300 by default. */
  sweepSeconds?: number | undefined;
}
