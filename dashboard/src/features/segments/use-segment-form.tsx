import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dataOf, etag } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import { conflictToFieldError } from "../../shared/api/conflict-to-field-error.ts";
import type { Flag, Schemas, Segment } from "../../shared/api/types.ts";
import { validateConstraints } from "../../shared/constraints/validate-constraints.ts";
import { constraintFieldErrors } from "../../shared/constraints/field-errors.ts";
import { isSameConstraints } from "../../shared/constraints/is-same-constraints.ts";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { isSameValues, type SegmentValues, toValues } from "./segment-values.ts";

interface Users {
  readonly items: readonly Flag[];
  readonly totalItems: number;
}

const NO_FIELD_ERRORS: Readonly<Record<string, string>> = {};

/**
 * The form of a segment. Until something is typed it follows what others save; `isOvertaken` tells
 * that they have saved something since. Asks before it changes flags.
 */
export function useSegmentForm(segment: Segment, users: Users | undefined) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done } = useNotify();
  /** What the typing began with. */
  const [base, setBase] = useState(segment);
  const [fieldErrors, setFieldErrors] = useState(NO_FIELD_ERRORS);
  const save = useMutation({
    mutationFn: ({ description, ...values }: SegmentValues) =>
      dataOf(
        api.PUT("/api/v1/segments/{id}", {
          params: { path: { id: base.id }, header: { "If-Match": etag(base.version) } },
          // What a later release may have stored is the server's to refuse.
          body: {
            ...values,
            description: description === "" ? null : description,
          } as Schemas["UpdateSegment"],
        }),
      ),
  });

  const isMeant = async ({ constraints }: SegmentValues): Promise<boolean> => {
    const isUnchanged = isSameConstraints(constraints, base.constraints);
    if (isUnchanged || users === undefined || users.totalItems === 0) return true;
    const count = users.totalItems;
    return confirm({
      title: t("segments.saveAsk", base),
      children: (
        <>
          {t("segments.saveReach", { count })}
          <ul>
            {users.items.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
            {count > users.items.length && (
              <li>{t("segments.useMore", { count: count - users.items.length })}</li>
            )}
          </ul>
        </>
      ),
      confirm: t("segments.saveConfirm", { count }),
    });
  };

  const { form, pending, error, onSubmit } = useServerForm<SegmentValues>({
    form: {
      initialValues: toValues(segment),
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (values) => {
      if (isSameValues(values, toValues(base))) return;
      const found = validateConstraints(t, values.constraints);
      setFieldErrors(found);
      if (Object.keys(found).length > 0 || !(await isMeant(values))) return;
      try {
        const saved = await conflictToFieldError(
          save.mutateAsync(values),
          "name",
          t("segments.nameTaken"),
        );
        setBase(saved);
        form.setValues((current) =>
          isSameValues(toWhole(current, values), values) ? toValues(saved) : current,
        );
        done(t("segments.saved", saved));
      } catch (thrown) {
        setFieldErrors(constraintFieldErrors(thrown));
        throw thrown;
      }
    },
  });

  const isDirty = !isSameValues(form.values, toValues(base));
  const isNewer = segment.version !== base.version && !pending;
  const takeSaved = () => {
    setBase(segment);
    form.setValues(toValues(segment));
    form.clearErrors();
    setFieldErrors(NO_FIELD_ERRORS);
  };
  if (isNewer && !isDirty) takeSaved();

  return { form, pending, error, onSubmit, fieldErrors, isDirty, isOvertaken: isNewer, takeSaved };
}

/** Mantine types what a form holds as possibly incomplete. */
const toWhole = (current: Partial<SegmentValues>, rest: SegmentValues): SegmentValues => ({
  ...rest,
  ...current,
});
