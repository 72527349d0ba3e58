import { useState } from "react";

/**
 * The state of a dialog about one item, the `subject`. `open` sets the subject. The subject stays
 * set after `close`, because the dialog still shows it while fading out.
 */
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
