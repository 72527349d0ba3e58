import { useForm, type UseFormInput } from "@mantine/form";
import { useState } from "react";
import { fieldErrorsOf, toInvalidFieldsError } from "./api/field-errors.ts";

interface Options<V extends Record<string, unknown>> {
  form: UseFormInput<V>;
  /** Sends it. What the server refuses about a field is shown there. */
  submit: (values: V) => Promise<unknown>;
}

/**
 * A form whose values the server has the last word on. Sent once at a time. `error` is for an
 * `ErrorAlert` above the fields: what has no field to stand at, or that there is something to mend,
 * with the trace id. What was typed stays.
 */
export function useServerForm<V extends Record<string, unknown>>({
  form: input,
  submit,
}: Options<V>) {
  const form = useForm<V>({ mode: "controlled", ...input });
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();

  const send = async (values: V) => {
    if (pending) return;
    setPending(true);
    setError(undefined);
    try {
      await submit(values);
    } catch (thrown) {
      const fieldErrors = Object.entries(fieldErrorsOf(thrown));
      const [own, others] = [
        fieldErrors.filter(([f]) => f in values),
        fieldErrors.filter(([f]) => !(f in values)),
      ];
      form.setErrors(Object.fromEntries(own));
      setError(own.length > 0 && others.length === 0 ? toInvalidFieldsError(thrown) : thrown);
      focusFirstError(
        form,
        own.map(([field]) => field),
      );
    } finally {
      setPending(false);
    }
  };

  return {
    form,
    pending,
    error,
    onSubmit: form.onSubmit(
      (values) => void send(values),
      (errors) => focusFirstError(form, Object.keys(errors)),
    ),
  };
}

function focusFirstError(
  form: { getInputNode(path: string): HTMLElement | null },
  fields: readonly string[],
) {
  for (const field of fields) {
    const node = form.getInputNode(field);
    if (!node) continue;
    node.focus();
    return;
  }
}
