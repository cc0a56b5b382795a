import { useLayoutEffect, useRef, useState } from "preact/hooks";

const typingPauseMs = 200;

/** The text in a field. Writes it to the address after a pause, because browsers limit changes of the address. */
export function useTyped(
  inAddress: string,
  write: (text: string) => void,
): { text: string; type: (text: string) => void } {
  const [text, setText] = useState(inAddress);
  const written = useRef(inAddress);
  // Layout effects run with the render. Others may run after the pause on a slow machine, and an old text would go to a new address.
  useLayoutEffect(() => {
    // A link or the browser's history has changed the address.
    if (inAddress !== written.current) setText(inAddress);
    written.current = inAddress;
  }, [inAddress]);
  useLayoutEffect(() => {
    if (text === written.current) return;
    const timer = setTimeout(() => {
      written.current = text;
      write(text);
    }, typingPauseMs);
    return () => clearTimeout(timer);
  });
  return { text, type: setText };
}
