/** A write that may be kept out of the log. */
export interface Silenceable {
  /** `false` if the write causes no changes in the log; otherwise absent. */
  notify?: false;
}
