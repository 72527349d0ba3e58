import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import type { ChangeRequest, Schemas } from "../../shared/api/types.ts";
import { Diff } from "../../shared/history/FieldChanges.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { OperationTarget, type RequestOperation, useTargetNames } from "./RequestOperations.tsx";

export type Choice = NonNullable<Schemas["RebaseChangeRequest"]["choices"]>[number];

export type Conflict = Pick<Choice, "operation" | "field">;

/** Returns the fields that the 409 of a rebase names, such as `operations.0.rules.k3v9x0qa2b`. */
export function conflictsOf(error: unknown): readonly Conflict[] {
  if (!hasStatus(error, 409)) return [];
  return error.details.flatMap(({ field: place }) => {
    const [, operation, field] = /^operations\.(\d+)\.(.+)$/.exec(place) ?? [];
    return field === undefined ? [] : [{ operation: Number(operation), field }];
  });
}

interface Props {
  request: ChangeRequest;
  conflicts: readonly Conflict[];
  onCancel: () => void;
  onRebase: (choices: readonly Choice[]) => void;
}

/** Asks for a side for each field that the request and others have changed. */
export function RebaseForm({ request, conflicts, onCancel, onRebase }: Props) {
  const { t } = useTranslation();
  const { names } = useTargetNames(request);
  const [current, setCurrent] = useState<readonly string[]>([]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRebase(
          conflicts.map((one) => ({
            ...one,
            take: current.includes(keyOf(one)) ? "current" : "request",
          })),
        );
      }}
    >
      <Stack gap="lg">
        <Text size="sm">{t("changeRequests.rebaseText")}</Text>
        {conflicts.map((conflict) => {
          const key = keyOf(conflict);
          const operation = request.operations[conflict.operation];
          return (
            operation && (
              <section key={key}>
                <OperationTarget
                  projectId={request.projectId}
                  operation={operation}
                  names={names}
                />
                <Text size="sm" c="dimmed" mb={4}>
                  {t("changeRequests.difference")}
                </Text>
                <Diff record={sidesOf(operation, conflict.field)} names={names} />
                <SegmentedControl
                  mt="sm"
                  aria-label={t("changeRequests.rebaseTitle")}
                  data={(["request", "current"] as const).map((value) => ({
                    value,
                    label: t(`changeRequests.${value}`),
                  }))}
                  value={current.includes(key) ? "current" : "request"}
                  onChange={(side) =>
                    setCurrent((known) => [
                      ...known.filter((one) => one !== key),
                      ...(side === "current" ? [key] : []),
                    ])
                  }
                />
              </section>
            )
          );
        })}
        <FormActions onCancel={onCancel} pending={false} submit={t("changeRequests.rebase")} />
      </Stack>
    </form>
  );
}

const keyOf = ({ operation, field }: Conflict): string => `${operation}.${field}`;

/** Returns a field, or one ordered rule, as it is now and as the request would make it. */
function sidesOf({ current, after }: RequestOperation, field: string) {
  const [name = "", id] = field.split(".");
  const picked = (content: Readonly<Record<string, unknown>> | null) => {
    const value = content?.[name];
    if (id === undefined || !Array.isArray(value)) return { [name]: value };
    return { [name]: value.filter((rule: { id?: unknown }) => rule.id === id) };
  };
  return { before: picked(current), after: picked(after) };
}
