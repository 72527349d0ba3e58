import { Checkbox, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../shared/api/types.ts";
import { peopleQuery } from "../../shared/data/users.ts";
import { every } from "../../shared/every.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { Column } from "../../shared/ui/DataTable.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import classes from "./MembersInput.module.css";

export type Member = Schemas["EnvironmentMembers"]["members"][number];

const RIGHTS = every<Exclude<keyof Member, "userId">>()(["canWrite", "canApprove"]);

interface Props {
  value: readonly Member[];
  onChange: (members: readonly Member[]) => void;
}

/** All users, each with the rights of a member. A user without rights is no member. */
export function MembersInput({ value, onChange }: Props) {
  const { t } = useTranslation();
  const people = useQuery(peopleQuery);
  const memberOf = (userId: number): Member =>
    value.find((member) => member.userId === userId) ?? {
      userId,
      canWrite: false,
      canApprove: false,
    };
  const set = (changed: Member) =>
    onChange([
      ...value.filter(({ userId }) => userId !== changed.userId),
      ...(changed.canWrite || changed.canApprove ? [changed] : []),
    ]);
  return (
    <QueryView query={people}>
      {(users) => (
        <div className={classes.list}>
          <Table aria-label={t("environments.protection.members")}>
            <Table.Thead>
              <Table.Tr>
                <Column>{t("environments.protection.members")}</Column>
                <Column>{t("environments.protection.write")}</Column>
                <Column>{t("environments.protection.approve")}</Column>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {users.map(({ id, name }) => {
                const member = memberOf(id);
                return (
                  <Table.Tr key={id}>
                    <Table.Th scope="row" fw={400} className={classes.name}>
                      {name}
                    </Table.Th>
                    {RIGHTS.map((right) => (
                      <Table.Td key={right}>
                        <Checkbox
                          aria-label={t(`environments.protection.${right}`, { name })}
                          checked={member[right]}
                          onChange={({ currentTarget }) =>
                            set({ ...member, [right]: currentTarget.checked })
                          }
                        />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </QueryView>
  );
}
