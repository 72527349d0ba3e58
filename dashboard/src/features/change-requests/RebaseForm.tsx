import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { hasStatus } from "../../shared/api/api-error.ts";
import type { ChangeRequest, Schemas } from "../../shared/api/types.ts";
import { ThreeWay } from "../../shared/history/ThreeWay.tsx";
import { threeWayRows } from "../../shared/history/three-way.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { OperationTarget, useContainedNames } from "./RequestOperations.tsx";

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
  const { names } = useContainedNames(request);
  // The fields that stay as they are now.
  const [taken, setTaken] = useState<readonly string[]>([]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onRebase(
          conflicts.map((one) => ({
            ...one,
            take: taken.includes(keyOf(one)) ? "current" : "request",
          })),
        );
      }}
    >
      <Stack gap="lg">
        <Text size="sm">{t("changeRequests.rebaseText")}</Text>
        {request.operations.map((operation, index) => {
          const fields = conflicts.filter((one) => one.operation === index);
          const { base, current, after, kind, targetId, environmentId } = operation;
          if (fields.length === 0 || current === null) return null;
          return (
            <section key={`${kind} ${targetId} ${environmentId}`}>
              <OperationTarget projectId={request.projectId} operation={operation} names={names} />
              <ThreeWay
                rows={threeWayRows({ base, current, after }).filter(({ key }) =>
                  fields.some(({ field }) => field === key),
                )}
                names={names}
              >
                {({ key: field }) => (
                  <Sides
                    takesCurrent={taken.includes(keyOf({ operation: index, field }))}
                    onChange={(takesCurrent) => {
                      const key = keyOf({ operation: index, field });
                      setTaken((known) => [
                        ...known.filter((one) => one !== key),
                        ...(takesCurrent ? [key] : []),
                      ]);
                    }}
                  />
                )}
              </ThreeWay>
            </section>
          );
        })}
        <FormActions onCancel={onCancel} pending={false} submit={t("changeRequests.rebase")} />
      </Stack>
    </form>
  );
}

const keyOf = ({ operation, field }: Conflict): string => `${operation}.${field}`;

interface SidesProps {
  takesCurrent: boolean;
  onChange: (takesCurrent: boolean) => void;
}

function Sides({ takesCurrent, onChange }: SidesProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      mt="xs"
      aria-label={t("changeRequests.rebaseTitle")}
      data={(["request", "current"] as const).map((value) => ({
        value,
        label: t(`changeRequests.${value}`),
      }))}
      value={takesCurrent ? "current" : "request"}
      onChange={(side) => onChange(side === "current")}
    />
  );
}
