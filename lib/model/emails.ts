/** Lowers only A–Z. Unicode case folding would turn the Kelvin sign into `k`, and so merge two different mailboxes. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
