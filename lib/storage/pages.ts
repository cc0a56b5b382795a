/** The positions, slices and pages of lists. */

/** A position in a list: just after the row with this time and id, even if that row was deleted. */
export interface Position {
  createdAt: number;
  id: string;
}

/** The largest size of a page. */
export interface PageSize {
  /** The largest number of rows. */
  limit: number;
  /** The largest size of the rows together (`bytesOfRow`). A page of one row can be larger. */
  maxBytes: number;
}

/** Selects rows of a list, from the start or after a position. */
export interface Slice extends PageSize {
  after: Position | null;
}

/** The rows of a page, and whether others follow. */
export interface PageRows<Row> {
  rows: Row[];
  more: boolean;
}
