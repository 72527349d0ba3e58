import { startTransition, useActionState, useEffect, useRef } from "react";
import type { SubmitEvent } from "react";

/**
 * The state of a form without Mantine's form state. Calls `submit` with `field`, a function that
 * returns the text of a form field. Ignores a submit while another submit is running. `error` is
 * what `submit` threw, and undefined while a submit is running. After an error, the first invalid
 * field takes the focus.
 */
export function useSubmit(submit: (field: (name: string) => string) => Promise<void>) {
  const form = useRef<HTMLFormElement>(null);
  const [lastError, run, pending] = useActionState(
    async (_previous: unknown, fields: FormData): Promise<unknown> => {
      try {
        await submit((name) => text(fields.get(name)));
        return undefined;
      } catch (error) {
        return error;
      }
    },
    undefined,
  );
  const error = pending ? undefined : lastError;

  useEffect(() => {
    if (error !== undefined)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);

  // Use a submit handler instead of the form's `action`, because React would empty the inputs after
  // an error.
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending) return;
    form.current = event.currentTarget;
    const fields = new FormData(event.currentTarget);
    startTransition(() => run(fields));
  };

  return { onSubmit, pending, error };
}

const text = (value: FormDataEntryValue | null): string => (typeof value === "string" ? value : "");
