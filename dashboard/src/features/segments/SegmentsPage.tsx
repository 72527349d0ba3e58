import { Table, Text } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { useWrite } from "../../shared/api/request.ts";
import { sortedByName } from "../../shared/compare-names.ts";
import type { Segment } from "../../shared/api/types.ts";
import { ConstraintList } from "../../shared/constraints/ConstraintList.tsx";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { FlagCountLink } from "../../shared/flags/FlagCountLink.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { usesFilter } from "../../shared/list/uses-filter.ts";
import { DescriptionInput } from "../../shared/ui/DescriptionInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { RowLink } from "../../shared/ui/links.tsx";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";
import { useServerForm } from "../../shared/use-server-form.ts";
import classes from "./SegmentsPage.module.css";
import { countedSegmentsQuery } from "./queries.ts";

export function SegmentsPage() {
  const { t } = useTranslation();
  const segments = useQuery(countedSegmentsQuery(useProjectId()));
  const mayWrite = useCan("segment:write");
  return (
    <ListPage
      title={t("shell.segments")}
      description={t("segments.about")}
      query={segments}
      create={
        mayWrite && {
          label: t("segments.new"),
          renderForm: (onClose) => <CreateSegment onClose={onClose} />,
        }
      }
      empty={{ Icon: IconUsersGroup, title: t("segments.none"), text: t("segments.noneText") }}
    >
      {(data) => (
        <SearchableList
          items={sortedByName(data)}
          text={({ name, description }) => `${name}\n${description ?? ""}`}
          searchLabel={t("segments.search")}
          filters={[usesFilter(t)]}
        >
          {(found) => <SegmentTable segments={found} />}
        </SearchableList>
      )}
    </ListPage>
  );
}

/** The table shows at most this many constraints of a segment. Its page shows all. */
const MAX_LINES = 3;

/** The table of segments. On a phone, the constraints are below the name. */
function SegmentTable({ segments }: { segments: readonly Segment[] }) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  return (
    <DataTable
      label={t("shell.segments")}
      className={classes.table ?? ""}
      head={
        <>
          <Column>{t("common.name")}</Column>
          {!isNarrow && <Column w="50%">{t("segments.members")}</Column>}
          <Column className={classes.uses ?? ""}>{t("segments.usedBy")}</Column>
        </>
      }
    >
      {segments.map((segment) => (
        <SegmentRow key={segment.id} segment={segment} isNarrow={isNarrow} />
      ))}
    </DataTable>
  );
}

function SegmentRow({ segment, isNarrow }: { segment: Segment; isNarrow: boolean }) {
  const { t } = useTranslation();
  const { id, projectId, name, description, constraints, flagCount } = segment;
  const members = (
    <ConstraintList constraints={constraints} max={MAX_LINES} empty={t("segments.nobody")} />
  );
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <RowLink
          to="/projects/$projectId/segments/$segmentId"
          params={{ projectId, segmentId: id }}
        >
          {name}
        </RowLink>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {description}
        </Text>
        {isNarrow && <div className={classes.members}>{members}</div>}
      </Table.Th>
      {!isNarrow && <Table.Td>{members}</Table.Td>}
      <Table.Td className={classes.uses ?? ""}>
        <FlagCountLink projectId={projectId} count={flagCount} search={{ segment: id }} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Creates a segment without constraints and opens its page, where the user adds them. */
function CreateSegment({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useProjectId();
  const create = useWrite("post", "/api/v1/segments");
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: "", description: "" },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async ({ name, description: text }) => {
      const description = text === "" ? null : text;
      const { id } = await conflictToFieldError(
        create.mutateAsync({ body: { name, description, constraints: [], projectId } }),
        "name",
        t("segments.nameTaken"),
      );
      onClose();
      await navigate({
        to: "/projects/$projectId/segments/$segmentId",
        params: { projectId, segmentId: id },
      });
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("segments.nameHint")} {...form.getInputProps("name")} />
      <DescriptionInput {...form.getInputProps("description")} />
      <Text size="sm" c="dimmed">
        {t("segments.createNext")}
      </Text>
      <FormActions onCancel={onClose} pending={pending} submit={t("segments.create")} />
    </ServerForm>
  );
}
