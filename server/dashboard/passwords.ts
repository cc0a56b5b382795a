import { scrypt } from "node:crypto";

/** Derives the key that signs sessions. Two passwords are equal if their keys are. */
export function deriveKey(password: string, salt: string): Promise<Buffer> {
  // 32 MiB, and about a tenth of a second.
  const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1_024 * 1_024 };
  return new Promise((resolve, reject) => {
    // Browsers and terminals may write the same letters in different code points.
    scrypt(password.normalize("NFC"), salt, 32, cost, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
