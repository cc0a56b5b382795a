import { queueItemsMax, queueMaxBytes, waitingShare } from "../limits.ts";

/** Something that takes room. */
export interface Load {
  bytes: number;
  /** Whether it waits for room. If not, it is refused when there is none. */
  waits: boolean;
}

/** Bounds the calls under way, by `../limits.ts`. Calls that wait for room get at most a share, so that they block nobody else. */
export interface Room<Entry extends Load> {
  /** Lets the entry in now or, if it waits, later. Returns `false`, and does nothing, if there is no room for it. */
  enter(entry: Entry): boolean;
  /** To be called once for each entry that was let in. Lets in those that wait for its room. */
  leave(entry: Entry): void;
  /** The size of what was let in and has not left. */
  entered(): Size;
  /** Lets nothing more in. Returns what waits. */
  close(): Entry[];
}

interface Size {
  items: number;
  bytes: number;
}

export function createRoom<Entry extends Load>(letIn: (entry: Entry) => void): Room<Entry> {
  const all: Size = { items: 0, bytes: 0 };
  const waiters: Size = { items: 0, bytes: 0 };
  let line: Entry[] = [];
  let next = 0;

  function take(entry: Entry): boolean {
    if (!fits(all, entry, 1) || (entry.waits && !fits(waiters, entry, waitingShare))) return false;
    add(all, 1, entry.bytes);
    if (entry.waits) add(waiters, 1, entry.bytes);
    letIn(entry);
    return true;
  }

  function takeFromLine(): void {
    // `next` is below the length.
    while (next < line.length && take(line[next]!)) next++;
    // Not `shift`, which moves all that follow.
    if (next * 2 > line.length) {
      line = line.slice(next);
      next = 0;
    }
  }

  return {
    enter(entry) {
      if (!entry.waits) return take(entry);
      line.push(entry);
      takeFromLine();
      return true;
    },
    leave(entry) {
      add(all, -1, -entry.bytes);
      if (entry.waits) add(waiters, -1, -entry.bytes);
      takeFromLine();
    },
    entered: () => ({ ...all }),
    close() {
      const left = line.slice(next);
      line = [];
      next = 0;
      return left;
    },
  };
}

function fits({ items, bytes }: Size, entry: Load, share: number): boolean {
  return items + 1 <= queueItemsMax * share && bytes + entry.bytes <= queueMaxBytes * share;
}

function add(size: Size, items: number, bytes: number): void {
  size.items += items;
  size.bytes += bytes;
}
