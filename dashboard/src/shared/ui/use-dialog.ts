import { useState } from "react";

/**
 * The state of a dialog about `subject`, which is known when the dialog opens. `subject` stays set
 * while the dialog fades out.
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
