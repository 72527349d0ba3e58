import { Kbd, Modal, Switch, Table } from "@mantine/core";
import { useOs } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { PROJECT_PAGES, useOrganisationPages } from "./navigation-pages.ts";
import { areShortcutsOn, storeShortcutsOn } from "./shortcut-setting.ts";
import { keysOf, PROJECTS_KEY } from "./shortcuts.ts";

/** The dialog that lists all shortcuts, and switches those of one key off. */
export function ShortcutsHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("shell.shortcuts")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Shortcuts />
    </Modal>
  );
}

function Shortcuts() {
  const { t } = useTranslation();
  const os = useOs();
  const organisation = useOrganisationPages();
  const [isOn, setOn] = useState(areShortcutsOn);
  const rows = [
    [os === "macos" ? "⌘ K" : "Ctrl K", t("shell.search")],
    [os === "macos" ? "⌘ S" : "Ctrl S", t("common.save")],
    ["/", t("shell.shortcutSearch")],
    ["N", t("shell.shortcutNew")],
    ["?", t("shell.shortcuts")],
    ...[...PROJECT_PAGES, ...organisation]
      .filter(({ name }) => keysOf(name) !== undefined)
      .map(({ name }) => [keysOf(name), t(`shell.${name}`)]),
    [`G ${PROJECTS_KEY.toUpperCase()}`, t("shell.allProjects")],
  ];
  return (
    <>
      <Switch
        mb="md"
        label={t("shell.shortcutsOn")}
        description={t("shell.shortcutsOnText")}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          setOn(checked);
          storeShortcutsOn(checked);
        }}
      />
      <Table>
        <Table.Tbody>
          {rows.map(([keys = "", label]) => (
            <Table.Tr key={keys}>
              <Table.Th scope="row" fw={400}>
                {label}
              </Table.Th>
              <Table.Td ta="right">
                {keys.split(" ").map((key) => (
                  <Kbd key={key} ml={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
