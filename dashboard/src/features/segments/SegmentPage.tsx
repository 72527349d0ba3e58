import { Button, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useId } from "react";
import type { Segment } from "../../shared/api/types.ts";
import { ConstraintList } from "../../shared/constraints/ConstraintList.tsx";
import { contextsQuery } from "../../shared/data/project-lists.ts";
import { ItemHistory } from "../../shared/history/ItemHistory.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { BackLink } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading, QueryView } from "../../shared/ui/QueryView.tsx";
import { flagsUsingSegmentQuery, segmentQuery } from "./queries.ts";
import { DeleteSegment } from "./DeleteSegment.tsx";
import { SegmentEditor } from "./SegmentEditor.tsx";
import classes from "./SegmentPage.module.css";
import { FlagsUsingSegment, MAX_SHOWN } from "./FlagsUsingSegment.tsx";

const route = getRouteApi("/projects/$projectId/segments/$segmentId");

export function SegmentPage() {
  const { t } = useTranslation();
  const { projectId, segmentId } = route.useParams();
  const segment = useQuery(segmentQuery(segmentId));
  // A constraint on a field without a context definition has one more input.
  const contexts = useQuery(contextsQuery(projectId));
  // A longer list of flags moves the history below it.
  const usage = useQuery(flagsUsingSegmentQuery(projectId, segmentId, MAX_SHOWN));
  return (
    <>
      <BackLink to="/projects/$projectId/segments" params={{ projectId }}>
        {t("segments.back")}
      </BackLink>
      {segment.isLoadingError && <PageHeader title={t("history.things.segment")} />}
      {contexts.isPending || usage.isPending ? (
        <Loading />
      ) : (
        <QueryView query={segment}>
          {(data) => <SegmentDetail key={data.id} segment={data} />}
        </QueryView>
      )}
    </>
  );
}

function SegmentDetail({ segment }: { segment: Segment }) {
  const { t } = useTranslation();
  const mayWrite = useCan("segment:write");
  const [isDeleting, { open, close }] = useDisclosure(false);
  const historyId = useId();
  return (
    <>
      <PageHeader
        title={segment.name}
        description={segment.description}
        actions={
          mayWrite && (
            <Button
              variant="default"
              leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
              onClick={open}
            >
              {t("segments.delete")}
            </Button>
          )
        }
      />
      <div className={classes.columns}>
        {mayWrite ? <SegmentEditor segment={segment} /> : <ReadOnlySegment segment={segment} />}
        <FlagsUsingSegment segment={segment} />
      </div>
      <section aria-labelledby={historyId}>
        <Title order={2} size="h4" id={historyId} mt="xl" mb="md">
          {t("flag.history")}
        </Title>
        <ItemHistory type="segment" item={segment} />
      </section>
      <FormModal title={t("segments.deleteAsk", segment)} opened={isDeleting} onClose={close}>
        <DeleteSegment segment={segment} onClose={close} />
      </FormModal>
    </>
  );
}

function ReadOnlySegment({ segment }: { segment: Segment }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder radius="md" p="md">
      <Stack gap="xs">
        <Title order={2} size="h4">
          {t("segments.members")}
        </Title>
        {segment.constraints.length > 0 && (
          <Text size="sm" c="dimmed">
            {t("constraints.allHold")}
          </Text>
        )}
        <ConstraintList constraints={segment.constraints} empty={t("segments.nobody")} />
      </Stack>
    </Paper>
  );
}
