import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { CreateSegment } from "./CreateSegment.tsx";
import { countedSegmentsQuery } from "./queries.ts";
import { SegmentTable } from "./SegmentTable.tsx";

export function SegmentsPage() {
  const { t } = useTranslation();
  const segments = useQuery(countedSegmentsQuery(useProjectId()));
  const mayWrite = useCan("segment:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = mayWrite && (
    <Button
      aria-keyshortcuts="n"
      title="N"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
      onClick={open}
    >
      {t("segments.new")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("shell.segments")}
        description={t("segments.about")}
        actions={segments.data?.length !== 0 && create}
      />
      <QueryView query={segments}>
        {(data) =>
          data.length > 0 ? (
            <SearchableList
              items={data.toSorted((a, b) => a.name.localeCompare(b.name))}
              text={({ name, description }) => `${name}\n${description ?? ""}`}
              searchLabel={t("segments.search")}
            >
              {(found) => <SegmentTable segments={found} />}
            </SearchableList>
          ) : (
            <EmptyState Icon={IconUsersGroup} title={t("segments.none")} action={create}>
              {t("segments.noneText")}
            </EmptyState>
          )
        }
      </QueryView>
      <CreateSegment opened={isCreating} onClose={close} />
    </>
  );
}
