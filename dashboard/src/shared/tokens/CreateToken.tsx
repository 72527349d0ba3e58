import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../api/types.ts";
import { allEnvironmentsQuery } from "../data/environments.ts";
import { projectsQuery } from "../data/projects.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { ConfirmIdentity } from "../session/ConfirmIdentity.tsx";
import { CopyableCode } from "../ui/CopyableCode.tsx";
import { FormModal } from "../ui/FormModal.tsx";
import { OneTimeSecretModal } from "../ui/OneTimeSecretModal.tsx";
import { Loading } from "../ui/QueryView.tsx";
import { TokenForm } from "./TokenForm.tsx";
import type { TokenOwner } from "./token-requests.ts";
import { useTokenNames } from "./use-token-names.ts";

interface Props {
  owner: TokenOwner;
  opened: boolean;
  onClose: () => void;
}

/** Creates a token. A second modal shows it, because the service returns it only once. */
export function CreateToken({ owner, opened, onClose }: Props) {
  const { t } = useTranslation();
  const [created, setCreated] = useState<Schemas["CreatedToken"]>();
  return (
    <>
      <FormModal title={t("tokens.new")} opened={opened} onClose={onClose} size="lg">
        <LoadedForm
          owner={owner}
          onCreated={(token) => {
            onClose();
            setCreated(token);
          }}
          onCancel={onClose}
        />
      </FormModal>
      {created && (
        <OneTimeSecretModal
          title={t("apiKeys.isCreated", { name: created.name })}
          label={t("tokens.one")}
          secret={created.token}
          onClose={() => setCreated(undefined)}
        >
          <CopyableCode name={t("tokens.header")} code={`Authorization: Bearer ${created.token}`} />
        </OneTimeSecretModal>
      )}
    </>
  );
}

interface FormProps {
  owner: TokenOwner;
  onCreated: (token: Schemas["CreatedToken"]) => void;
  onCancel: () => void;
}

/** The form with the projects and environments that the owner sees. */
function LoadedForm({ owner, ...rest }: FormProps) {
  const { data: projects } = useQuery(projectsQuery);
  const { data: environments } = useQuery(allEnvironmentsQuery);
  const names = useTokenNames(owner, true);
  if (!projects || !environments || !names) return <Loading />;
  const isSeen = (projectId: number) =>
    owner === undefined || owner.projectId === null || owner.projectId === projectId;
  return (
    <ConfirmIdentity>
      {(confirmedUntil) => (
        <TokenForm
          owner={owner}
          projects={projects.filter(({ id }) => isSeen(id))}
          environments={environments.filter(({ projectId }) => isSeen(projectId))}
          names={names}
          confirmedUntil={confirmedUntil}
          {...rest}
        />
      )}
    </ConfirmIdentity>
  );
}
