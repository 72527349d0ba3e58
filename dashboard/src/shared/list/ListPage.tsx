import { useDisclosure } from "@mantine/hooks";
import type { TablerIcon } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { EmptyState } from "../ui/EmptyState.tsx";
import { FormModal } from "../ui/FormModal.tsx";
import { PageHeader } from "../ui/PageHeader.tsx";
import { QueryView } from "../ui/QueryView.tsx";
import { CreateButton } from "./CreateButton.tsx";

interface Props<T> {
  title: string;
  description: string;
  /** The query that loads all items of the list. */
  query: UseQueryResult<readonly T[]>;
  /** The buttons beside the create button. Hidden while the list is empty. */
  actions?: ReactNode;
  /** The create button and its form. False if the user may not create an item. */
  create: false | { label: string; size?: string; renderForm: (onClose: () => void) => ReactNode };
  /** Replaces the list while the list is empty. `docs` is the path of a document. */
  empty: { Icon: TablerIcon; title: string; text: string; docs?: string };
  /** Renders the list. Never called with an empty list. */
  children: (items: readonly T[]) => ReactNode;
}

/** A page with one list: a heading, buttons, and the items or the empty state. */
export function ListPage<T>({ query, actions, create, empty, children, ...heading }: Props<T>) {
  const [isCreating, { open, close }] = useDisclosure(false);
  const { text, ...emptyState } = empty;
  const button = create && <CreateButton onClick={open}>{create.label}</CreateButton>;
  return (
    <>
      <PageHeader
        {...heading}
        actions={
          query.data?.length !== 0 && (
            <>
              {actions}
              {button}
            </>
          )
        }
      />
      <QueryView query={query}>
        {(items) =>
          items.length > 0 ? (
            children(items)
          ) : (
            <EmptyState {...emptyState} action={button}>
              {text}
            </EmptyState>
          )
        }
      </QueryView>
      {create && (
        <FormModal
          title={create.label}
          opened={isCreating}
          onClose={close}
          {...(create.size !== undefined && { size: create.size })}
        >
          {create.renderForm(close)}
        </FormModal>
      )}
    </>
  );
}
