import { TrackerError } from "../../lib/errors.ts";

/** How many tries of a client wait beside the one that is next or being answered, and how many clients may try at a time. */
const waitingMax = 5;
const clientsMax = 1_000;

/** One try of a client: whether the password was right. Throws `rate_limited` if too many are waiting. */
export type TryPassword = (client: string, password: string) => Promise<boolean>;

export interface PasswordOptions {
  isRight(password: string): Promise<boolean>;
  /** How long a failure waits for its answer. */
  pause(): Promise<unknown>;
}

interface Try {
  client: string;
  password: string;
  resolve(isRight: boolean): void;
  reject(error: unknown): void;
}

/**
 * Checks one password at a time, each client's in turn: of each client at most one try is in the common line. So nobody can
 * keep others out by many tries. A failure is answered after a pause, in which the client's next try waits.
 */
export function createPasswordLine({ isRight, pause }: PasswordOptions): TryPassword {
  /** The tries of each client in their order. The first is in the common line, being checked, or in its pause. */
  const ofClients = new Map<string, Try[]>();
  const line: Try[] = [];
  let isChecking = false;

  async function checkAll(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    for (let next = line.shift(); next; next = line.shift()) {
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

  /** Makes a function that answers the try, and then puts the client's next one into the common line. */
  function nextOf({ client }: Try): (answer: () => void) => void {
    return (answer) => {
      answer();
      // There is a list as long as there is a try.
      const tries = ofClients.get(client)!;
      tries.shift();
      const [next] = tries;
      if (!next) return void ofClients.delete(client);
      line.push(next);
      void checkAll();
    };
  }

  return (client, password) =>
    new Promise((resolve, reject) => {
      const tries = ofClients.get(client) ?? [];
      if (tries.length > waitingMax || (tries.length === 0 && ofClients.size >= clientsMax)) {
        throw new TrackerError("rate_limited", {
          message: "Too many passwords are being tried. Try again in a few seconds.",
        });
      }
      tries.push({ client, password, resolve, reject });
      ofClients.set(client, tries);
      if (tries.length === 1) line.push(tries[0]!);
      void checkAll();
    });
}
