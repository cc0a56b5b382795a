/** Saves a file that the page has made. */
export function download(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The browser begins to read the file only after this function has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
