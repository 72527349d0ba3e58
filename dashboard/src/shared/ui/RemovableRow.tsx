import { Button } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import rows from "./row-list.module.css";
import { type Question, useConfirm } from "./use-confirm.tsx";
import { useNotify } from "./use-notify.tsx";

interface Props {
  Icon: Icon;
  /** The content of the row: the name of the item and its details. */
  children: ReactNode;
  /** Other buttons, before the one that removes the item. */
  actions?: ReactNode;
  button: {
    readonly text: string;
    /** The accessible name, which begins with the text and names the item. */
    readonly label: string;
  };
  question: Omit<Question, "isDangerous">;
  remove: () => Promise<unknown>;
  /** What the notification says when the item has been removed. */
  removed: string;
}

/** A row of a list, with a button that removes its item when the user has confirmed. */
export function RemovableRow({ Icon, children, actions, button, question, ...props }: Props) {
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const remove = useMutation({
    mutationFn: props.remove,
    onSuccess: () => done(props.removed),
    onError: failed,
  });
  const ask = async () => {
    if (await confirm({ ...question, isDangerous: true })) remove.mutate();
  };
  return (
    <li className={rows.row}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <div className={rows.words}>{children}</div>
      <div className={rows.actions}>
        {actions}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={button.label}
          loading={remove.isPending}
          onClick={() => void ask()}
        >
          {button.text}
        </Button>
      </div>
    </li>
  );
}
