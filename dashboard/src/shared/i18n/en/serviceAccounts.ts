/** The texts of the pages of service accounts. */
export const serviceAccounts = {
  about:
    "Programs such as deployment pipelines call the management API as a service account. It stays when the person who created it leaves.",
  new: "New service account",
  create: "Create service account",
  none: "No service accounts yet",
  noneText:
    "Create a service account for a program that changes flags, then create a token for it.",
  search: "Search service accounts",
  back: "Service accounts",
  nameHint: "The program, such as “Deployment”.",
  role: "Role",
  project: "Project",
  projectHint: "The account sees only this project. This cannot be changed later.",
  allProjectsHint: "With “All projects”, its role applies in every project.",
  allProjects: "All projects",
  created: "Created",
  editOne: "Edit {{name}}",
  saved: "{{name}} saved",
  roleNow: "A new role also applies to existing tokens at once.",
  quota: "The maximum number of service accounts is reached. Delete one first.",
  deleteOne: "Delete {{name}}",
  deleteAsk: "Delete “{{name}}”?",
  deleteText:
    "All its tokens are revoked, and requests with them are rejected with 401. Its past actions stay in the audit log. This cannot be undone.",
  delete: "Delete service account",
  deleted: "{{name}} deleted",
} as const;
