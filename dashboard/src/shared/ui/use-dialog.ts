import { useState } from "react";

/**
 * The state of a dialog that is about one item, the `subject`. `open` sets the subject. It stays
 * set after `close`, while the dialog fades out.
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
