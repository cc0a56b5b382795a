/** Awaits the value. Returns it, and the turns of the event loop until then. */
export async function inTurns<Value>(value: Value | Promise<Value>): Promise<{ value: Value; turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = (): unknown => setImmediate(() => isOver || (turns++, count()));
  count();
  const settled = await value;
  isOver = true;
  return { value: settled, turns };
}
