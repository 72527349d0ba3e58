/** A file of SQL as text; Vite reads it. */
declare module "*.sql?raw" {
  const statements: string;
  export default statements;
}
