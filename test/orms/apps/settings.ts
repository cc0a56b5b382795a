/** Settings of mysql2 that change rows, for ORMs that connect by it. */
export const connectionSettings: Record<string, object> = {
  rowsAsArray: { rowsAsArray: true },
  nestTables: { nestTables: true },
  typeCast: {
    typeCast: (field: { type: string; string(): string | null }, next: () => unknown) =>
      /BLOB|STRING/.test(field.type) ? field.string() : next(),
  },
  bigNumberStrings: { supportBigNumbers: true, bigNumberStrings: true, dateStrings: true },
};
