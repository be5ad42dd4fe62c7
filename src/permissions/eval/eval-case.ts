import { z } from 'zod';
import { PermissionBehavior, PermissionMode } from '../../core/permission-types.js';

const rules = z.array(z.string()).default([]);
const texts = z.record(z.string(), z.string());

const Common = z.object({
  id: z.string(),
  mode: PermissionMode.default('default'),
  allow: rules,
  deny: rules,
  ask: rules,
  expect: PermissionBehavior,
});

/** A command line of Bash. */
const ShellCase = z
  .object({ ...Common.shape, command: z.string() })
  .transform((one) => ({ ...one, kind: 'shell' as const }));
/** One path, and the links that are on the way: link → target. */
const PathCase = z
  .object({
    ...Common.shape,
    tool: z.enum(['Read', 'Edit', 'Write', 'NotebookEdit']),
    path: z.string(),
    symlinks: texts.default({}),
    additional: rules,
  })
  .transform((one) => ({ ...one, kind: 'path' as const }));
/** One address, what its host and those of its redirects resolve to, and where it leads on. */
const WebCase = z
  .object({
    ...Common.shape,
    url: z.string(),
    resolves: z.record(z.string(), z.array(z.string())).default({}),
    redirects: z.array(z.string()).default([]),
  })
  .transform((one) => ({ ...one, kind: 'web' as const }));

/** One expectation of what rules decide. Which kind it is, its fields tell; fields that are not named are left alone. */
export type EvalCase = z.infer<typeof ShellCase | typeof PathCase | typeof WebCase>;

type ReadCase =
  | { readonly ok: true; readonly value: EvalCase }
  | { readonly ok: false; readonly message: string };

/** Reads one line of a file of cases. */
export function readEvalCase(line: string): ReadCase {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return bad(`this is not JSON: ${(error as Error).message}`); // what JSON.parse throws
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return bad('a case is a JSON object');
  if ('command' in json) return read(ShellCase, json);
  if ('url' in json) return read(WebCase, json);
  if ('path' in json) return read(PathCase, json);
  return bad('a case has a "command", a "path" with its "tool", or a "url"');
}

function read(schema: z.ZodType<EvalCase>, json: object): ReadCase {
  const parsed = schema.safeParse(json);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : bad(z.prettifyError(parsed.error).replaceAll('\n', ' '));
}

function bad(message: string): ReadCase {
  return { ok: false, message };
}
