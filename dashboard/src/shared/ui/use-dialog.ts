import { useState } from "react";

/** A dialogue over something that is known once it is opened; `on` stays while the dialogue fades. */
export function useDialog<T>() {
  const [subject, setSubject] = useState<T>();
  const [isOpen, setOpen] = useState(false);
  return {
    subject,
    isOpen,
    open: (next: T) => {
      setSubject(next);
      setOpen(true);
    },
    close: () => setOpen(false),
  };
}
