import { startTransition, useActionState, useEffect, useRef } from "react";
import type { SubmitEvent } from "react";

/**
 * Runs `submit` when the form is submitted; a second submit is ignored while one is running.
 * `field` reads a form field as text. `error` is what the last attempt threw, and undefined while
 * another attempt runs. The first field marked invalid gets the focus.
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

  // Not the form's `action`: React would clear the fields after a failed attempt.
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
