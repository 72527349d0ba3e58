import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import { send } from "../../shared/api/request.ts";
import type { Flag, Schemas, Segment } from "../../shared/api/types.ts";
import { useChangeOrPropose } from "../../shared/change-requests/use-change-or-propose.ts";
import { loadValidation } from "../../shared/constraints/load-validation.ts";
import { isSameConstraints } from "../../shared/constraints/is-same-constraints.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

interface Usage {
  readonly items: readonly Flag[];
  readonly totalItems: number;
}

const NO_FIELD_ERRORS: Readonly<Record<string, string>> = {};

/**
 * A hook for the form that edits a segment. While the user has changed nothing, the form shows the
 * latest saved segment. Otherwise `hasNewerVersion` is true once somebody else has saved the
 * segment. If flags use the segment, saving changed constraints asks for confirmation.
 */
export function useSegmentForm(segment: Segment, usage: Usage | undefined) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done } = useNotify();
  /** The saved segment on which the user's changes are based. */
  const [base, setBase] = useState(segment);
  const [fieldErrors, setFieldErrors] = useState(NO_FIELD_ERRORS);
  const changeOrPropose = useChangeOrPropose();
  const save = useMutation({
    mutationFn: (body: Schemas["UpdateSegment"]) =>
      send("put", "/api/v1/segments/{id}", { path: { id: base.id }, ifMatch: base.version, body }),
  });
  const saveOrPropose = ({ description, ...values }: SegmentValues) => {
    // The cast is needed because the segment may contain a constraint that is unknown to this
    // dashboard. The service validates the constraint.
    const body = {
      ...values,
      description: description === "" ? null : description,
    } as Schemas["UpdateSegment"];
    return changeOrPropose({
      projectId: base.projectId,
      operations: [{ kind: "segment.update", target: { id: base.id }, input: body }],
      send: () => save.mutateAsync(body),
    });
  };

  const isConfirmed = async ({ constraints }: SegmentValues): Promise<boolean> => {
    const isUnchanged = isSameConstraints(constraints, base.constraints);
    if (isUnchanged || usage === undefined || usage.totalItems === 0) return true;
    const count = usage.totalItems;
    return confirm({
      title: t("segments.saveAsk", base),
      children: (
        <>
          {t("segments.saveReach", { count })}
          <ul>
            {usage.items.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
            {count > usage.items.length && (
              <li>{t("segments.useMore", { count: count - usage.items.length })}</li>
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
      const validate = await loadValidation();
      const errors = validate(t, values.constraints);
      setFieldErrors(errors);
      if (Object.keys(errors).length > 0 || !(await isConfirmed(values))) return;
      try {
        const saved = await conflictToFieldError(
          saveOrPropose(values),
          "name",
          t("segments.nameTaken"),
        );
        if (!saved) return loadNewerVersion();
        setBase(saved);
        form.setValues((current) =>
          isSameValues(toComplete(current, values), values) ? toValues(saved) : current,
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
  const loadNewerVersion = () => {
    setBase(segment);
    form.setValues(toValues(segment));
    form.clearErrors();
    setFieldErrors(NO_FIELD_ERRORS);
  };
  if (isNewer && !isDirty) loadNewerVersion();

  return {
    form,
    pending,
    error,
    onSubmit,
    fieldErrors,
    isDirty,
    hasNewerVersion: isNewer,
    loadNewerVersion,
  };
}

/** Takes missing values from `rest`, because Mantine's type allows missing values. */
const toComplete = (current: Partial<SegmentValues>, rest: SegmentValues): SegmentValues => ({
  ...rest,
  ...current,
});

/** The fields of a segment that the segment form edits. */
type SegmentValues = Pick<Segment, "name" | "constraints"> & { description: string };

const toValues = ({ name, description, constraints }: Segment): SegmentValues => ({
  name,
  description: description ?? "",
  constraints,
});

const isSameValues = (a: SegmentValues, b: SegmentValues): boolean =>
  a.name === b.name &&
  a.description === b.description &&
  isSameConstraints(a.constraints, b.constraints);

/**
 * Returns the field errors of `constraints` in an ApiError as ConstraintsEditor needs them:
 * messages by path within the list, such as `0.values`. The path of an error of the whole list is
 * empty.
 */
const constraintFieldErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldErrorsOf(error)).flatMap(([field, words]) => {
      const [, path] = /^constraints(?:\.|$)(.*)$/.exec(field) ?? [];
      return path === undefined ? [] : [[path, words]];
    }),
  );
