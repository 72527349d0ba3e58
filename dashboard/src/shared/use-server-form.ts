import { useForm, type UseFormInput } from "@mantine/form";
import { useState } from "react";
import { fieldErrorsOf, toInvalidFieldsError } from "./api/field-errors.ts";

interface Options<V extends Record<string, unknown>> {
  form: UseFormInput<V>;
  /** Sends the values. Field errors of an ApiError that it throws are shown at the inputs. */
  submit: (values: V) => Promise<unknown>;
}

/**
 * The state of a form whose values the server validates. Ignores a submit while another submit is
 * running. Display the returned `error` above the inputs with `ServerForm`. `error` is undefined if
 * every field error is shown at an input. If a field has no input that can take the focus, `error`
 * only says that some fields are invalid. Otherwise `error` is what `submit` threw.
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
      if (own.length === 0 || others.length > 0) setError(thrown);
      else if (own.some(([field]) => !form.getInputNode(field)))
        setError(toInvalidFieldsError(thrown));
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
