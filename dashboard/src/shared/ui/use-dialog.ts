import { useState } from "react";

/** A dialogue over something that is known once it is opened; `on` stays while the dialogue fades. */
export function useDialogue<T>() {
  const [on, setOn] = useState<T>();
  const [isOpen, setOpen] = useState(false);
  return {
    on,
    isOpen,
    open: (next: T) => {
      setOn(next);
      setOpen(true);
    },
    close: () => setOpen(false),
  };
}
