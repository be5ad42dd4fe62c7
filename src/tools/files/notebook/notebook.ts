import { z } from 'zod';
import { describeRefusal, quotedField } from '../../../core/text/describe-issue.js';
import { nearestName } from '../../../core/text/nearest-name.js';
import { DEEPEST_JSON, isTooDeep } from '../../../model/stream/json-depth.js';

/** Larger notebooks are text for Read, and NotebookEdit refuses them: finding a cell takes time for each byte. */
export const MAX_NOTEBOOK_BYTES = 32 * 1024 * 1024;
const MAX_LISTED = 30;

/** A text, whole or as its lines. */
export const MultilineText = z.lazy(() => z.union([z.string(), z.array(z.string())]));

/** The fields of nbformat 4 that Troupe reads. A notebook may have any others. */
const NotebookCell = z.lazy(() =>
  z.looseObject({
    id: z.string().optional(),
    cell_type: z.enum(['code', 'markdown', 'raw']),
    source: MultilineText,
    execution_count: z.number().nullish(),
    outputs: z.array(z.looseObject({ output_type: z.string() })).optional(),
  }),
);
export type NotebookCell = z.infer<typeof NotebookCell>;

const Notebook = z.lazy(() =>
  z.looseObject({
    nbformat: z.literal(4),
    nbformat_minor: z.int().nonnegative(),
    metadata: z
      .looseObject({
        kernelspec: z.looseObject({ language: z.string().optional() }).optional(),
        language_info: z.looseObject({ name: z.string().optional() }).optional(),
      })
      .optional(),
    cells: z.array(NotebookCell),
  }),
);
export type Notebook = z.infer<typeof Notebook>;

export type ParsedNotebook =
  | { readonly ok: true; readonly notebook: Notebook }
  /** `problem` completes "… is not a notebook that can be used: …". */
  | { readonly ok: false; readonly problem: string };

/** Parse a notebook of nbformat 4. Never throws. */
export function parseNotebook(text: string): ParsedNotebook {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `it is not JSON (${(error as Error).message})` }; // a SyntaxError
  }
  if (isTooDeep(value))
    return { ok: false, problem: `it is nested more than ${DEEPEST_JSON} deep` };
  const version: unknown = Object(value).nbformat;
  if (typeof version === 'number' && version < 4)
    return {
      ok: false,
      problem: `it has nbformat ${version}, and only 4 is supported. Convert it with Bash: jupyter nbconvert --to notebook --inplace`,
    };
  const parsed = Notebook.safeParse(value);
  if (parsed.success) return { ok: true, notebook: parsed.data };
  return { ok: false, problem: describeRefusal(parsed.error, value, quotedField('it')) };
}

/** Ids of the cells. A cell without one, as in notebooks before nbformat 4.5, has the id `cell-N`, counted from 0. */
export function cellIdsOf({ cells }: Notebook): readonly string[] {
  return cells.map(({ id }, index) => id ?? `cell-${index}`);
}

export type FoundCell =
  | { readonly ok: true; readonly index: number }
  /** `problem` is for the model. */
  | { readonly ok: false; readonly problem: string };

export function findCell(notebook: Notebook, id: string): FoundCell {
  const ids = cellIdsOf(notebook);
  const index = ids.indexOf(id);
  if (index < 0) return { ok: false, problem: describeUnknown(id, ids) };
  if (ids.includes(id, index + 1))
    return {
      ok: false,
      problem: `several cells have the id "${id}". Give them different ids with Edit first.`,
    };
  return { ok: true, index };
}

function describeUnknown(id: string, ids: readonly string[]): string {
  if (ids.length === 0) return `there is no cell "${id}": the notebook has no cells.`;
  const nearest = nearestName(id, ids);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const more = ids.length > MAX_LISTED ? ', …' : '';
  return `there is no cell "${id}".${hint} The cells are: ${ids.slice(0, MAX_LISTED).join(', ')}${more}.`;
}

/** The language of the code cells. */
export function languageOf({ metadata }: Notebook): string {
  return metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? 'python';
}

export function joinText(text: z.infer<typeof MultilineText>): string {
  return typeof text === 'string' ? text : text.join('');
}
