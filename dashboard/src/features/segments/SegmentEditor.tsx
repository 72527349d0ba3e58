import { Alert, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Segment } from "../../shared/api/types.ts";
import { ConstraintsEditor } from "../../shared/constraints/ConstraintsEditor.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { DescriptionInput } from "../../shared/ui/DescriptionInput.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useLeaveGuard } from "../../shared/use-leave-guard.ts";
import { flagsUsingSegmentQuery } from "./queries.ts";
import { MAX_SHOWN } from "./FlagsUsingSegment.tsx";
import { useSegmentForm } from "./use-segment-form.tsx";

export function SegmentEditor({ segment }: { segment: Segment }) {
  const { t } = useTranslation();
  const { id, projectId } = segment;
  const { data: usage } = useQuery(flagsUsingSegmentQuery(projectId, id, MAX_SHOWN));
  const {
    form,
    pending,
    error,
    onSubmit,
    fieldErrors,
    isDirty,
    hasNewerVersion,
    loadNewerVersion,
  } = useSegmentForm(segment, usage);
  useLeaveGuard(isDirty);
  const count = usage?.totalItems;

  return (
    <Paper withBorder radius="md" p="md">
      <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
        {hasNewerVersion && (
          <Alert color="yellow" role="alert">
            <Stack gap="xs" align="flex-start">
              {t("segments.conflict")}
              <Button size="compact-sm" variant="default" onClick={loadNewerVersion}>
                {t("segments.loadSaved")}
              </Button>
            </Stack>
          </Alert>
        )}
        <NameInput {...form.getInputProps("name")} />
        <DescriptionInput minRows={1} {...form.getInputProps("description")} />
        <Stack gap="xs" component="section" aria-labelledby="segment-members">
          <Title order={2} size="h4" id="segment-members">
            {t("segments.members")}
          </Title>
          <ConstraintsEditor
            projectId={projectId}
            value={form.values.constraints}
            onChange={(constraints) => form.setFieldValue("constraints", constraints)}
            fieldErrors={fieldErrors}
            empty={t("segments.nobodyYet")}
          />
        </Stack>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {count !== undefined &&
              (count === 0 ? t("segments.saveReachNone") : t("segments.saveReach", { count }))}
          </Text>
          <Group gap="xs" ml="auto">
            {isDirty && (
              <Button variant="default" onClick={loadNewerVersion}>
                {t("segments.discard")}
              </Button>
            )}
            {/* Uses `data-disabled` instead of `disabled`: a disabled button loses the focus. */}
            <Button
              type="submit"
              loading={pending}
              {...(!isDirty && { "data-disabled": true, "aria-disabled": true })}
            >
              {t("common.save")}
            </Button>
          </Group>
        </Group>
      </ServerForm>
    </Paper>
  );
}
