import { TrackerError } from "../../lib/model/errors.ts";

/**
 * The largest number of unanswered tries of a client, and of each of the two larger networks of an IPv6 client. Many clients in
 * one network are probably one person with many addresses.
 */
const triesMax = [6, 12, 24];
/** How many clients may try at a time. */
const clientsMax = 1_000;

/** The sender of a try: the id of a known browser, or the networks of a client, the smallest first. */
export type Client = { browser: string } | readonly string[];

/** One try of a client: whether the password was right. Throws `rate_limited` if too many are waiting. */
export type TryPassword = (client: Client, password: string) => Promise<boolean>;

export interface PasswordOptions {
  isRight(password: string): Promise<boolean>;
  /** Awaited before a failure is answered. */
  pause(): Promise<unknown>;
}

interface Try {
  /** The client and the larger networks that it is in. */
  names: readonly string[];
  isKnown: boolean;
  password: string;
  resolve(isRight: boolean): void;
  reject(error: unknown): void;
}

/**
 * Checks one password at a time. Each client has at most one try in the common queue, so that many tries of one client do not
 * block the others. A failure is answered after a pause, and the client's next try waits until then. Known browsers go first,
 * and `clientsMax` never keeps them out.
 */
export function createPasswordQueue({ isRight, pause }: PasswordOptions): TryPassword {
  /** The tries of each client in their order. The first is in the common queue, being checked, or in its pause. */
  const ofClients = new Map<string, Try[]>();
  /** The number of tries of each client and network. */
  const counts = new Map<string, number>();
  const line: Try[] = [];
  const knownLine: Try[] = [];
  let isChecking = false;

  async function checkAll(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    const takeNext = (): Try | undefined => knownLine.shift() ?? line.shift();
    for (let next = takeNext(); next; next = takeNext()) {
      const { password, resolve, reject } = next;
      const end = nextOf(next);
      try {
        if (await isRight(password)) end(() => resolve(true));
        else void pause().then(() => end(() => resolve(false)));
      } catch (error) {
        end(() => reject(error));
      }
    }
    isChecking = false;
  }

  /** Makes a function that answers the try, and then puts the client's next one into the common queue. */
  function nextOf({ names }: Try): (answer: () => void) => void {
    return (answer) => {
      answer();
      count(names, -1);
      const client = names[0]!;
      // There is a list as long as there is a try.
      const tries = ofClients.get(client)!;
      tries.shift();
      const [next] = tries;
      if (next) enqueue(next);
      else ofClients.delete(client);
    };
  }

  function count(names: readonly string[], change: 1 | -1): void {
    for (const name of names) {
      const tries = (counts.get(name) ?? 0) + change;
      if (tries > 0) counts.set(name, tries);
      else counts.delete(name);
    }
  }

  function enqueue(next: Try): void {
    (next.isKnown ? knownLine : line).push(next);
    void checkAll();
  }

  return (client, password) =>
    new Promise((resolve, reject) => {
      const isKnown = "browser" in client;
      const names = isKnown ? [client.browser] : client;
      const tries = ofClients.get(names[0]!) ?? [];
      const isFull = names.some((name, index) => (counts.get(name) ?? 0) >= triesMax[index]!);
      if (isFull || (!isKnown && tries.length === 0 && ofClients.size >= clientsMax)) {
        throw new TrackerError("rate_limited", {
          message: "Too many passwords are being tried. Try again in a few seconds.",
        });
      }
      const added = { names, isKnown, password, resolve, reject };
      ofClients.set(names[0]!, tries);
      count(names, 1);
      if (tries.push(added) === 1) enqueue(added);
    });
}
