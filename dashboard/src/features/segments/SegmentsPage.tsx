import { useDisclosure } from "@mantine/hooks";
import { IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { CreateSegment } from "./CreateSegment.tsx";
import { countedSegmentsQuery } from "./queries.ts";
import { SegmentTable } from "./SegmentTable.tsx";

export function SegmentsPage() {
  const { t } = useTranslation();
  const segments = useQuery(countedSegmentsQuery(useProjectId()));
  const mayWrite = useCan("segment:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = mayWrite && <CreateButton onClick={open}>{t("segments.new")}</CreateButton>;
  return (
    <>
      <ListPage
        title={t("shell.segments")}
        description={t("segments.about")}
        query={segments}
        actions={create}
        empty={
          <EmptyState Icon={IconUsersGroup} title={t("segments.none")} action={create}>
            {t("segments.noneText")}
          </EmptyState>
        }
      >
        {(data) => (
          <SearchableList
            items={data.toSorted((a, b) => a.name.localeCompare(b.name))}
            text={({ name, description }) => `${name}\n${description ?? ""}`}
            searchLabel={t("segments.search")}
          >
            {(found) => <SegmentTable segments={found} />}
          </SearchableList>
        )}
      </ListPage>
      <CreateSegment opened={isCreating} onClose={close} />
    </>
  );
}
