import { IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { readAll } from "../../shared/api/request.ts";
import { sortedByName } from "../../shared/compare-names.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { useCan, useProjectsWith } from "../../shared/session/current-session.tsx";
import { ServiceAccountForm } from "./ServiceAccountForm.tsx";
import { ServiceAccountTable } from "./ServiceAccountTable.tsx";

export function ServiceAccountsPage() {
  const { t } = useTranslation();
  const accounts = useQuery(readAll("/api/v1/service-accounts"));
  const navigate = useNavigate();
  // For an administrator of the organisation, the button does not wait for the projects.
  const mayWriteAll = useCan("service-account:write");
  const mayWrite = useProjectsWith("service-account:write").length > 0 || mayWriteAll;
  return (
    <ListPage
      title={t("shell.serviceAccounts")}
      description={t("serviceAccounts.about")}
      query={accounts}
      create={
        mayWrite && {
          label: t("serviceAccounts.new"),
          renderForm: (onClose) => (
            <ServiceAccountForm
              // The page of the new account offers to create its first token.
              onSaved={({ id }) =>
                void navigate({
                  to: "/service-accounts/$serviceAccountId",
                  params: { serviceAccountId: id },
                })
              }
              onCancel={onClose}
            />
          ),
        }
      }
      empty={{
        Icon: IconRobot,
        title: t("serviceAccounts.none"),
        text: t("serviceAccounts.noneText"),
        docs: "/docs/ci.md",
      }}
    >
      {(loaded) => (
        <SearchableList
          items={sortedByName(loaded)}
          text={({ name }) => name}
          searchLabel={t("serviceAccounts.search")}
        >
          {(found) => <ServiceAccountTable accounts={found} />}
        </SearchableList>
      )}
    </ListPage>
  );
}
