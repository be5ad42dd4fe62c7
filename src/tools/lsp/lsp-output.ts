import { z } from 'zod';
import { LspInput } from './lsp-input.js';

const Location = z.lazy(() =>
  z.object({
    /** Absolute path, or a URI of another kind. */
    path: z.string(),
    line: z.int(),
    character: z.int(),
    endLine: z.int(),
    endCharacter: z.int(),
  }),
);

export const LspOutput = z.lazy(() =>
  z.object({
    operation: LspInput.shape.operation,
    /** The file of the question, an absolute path. */
    filePath: z.string(),
    /** The text for the model. */
    result: z.string(),
    /** Number of locations, symbols or diagnostics; 1 or 0 for hover. */
    resultCount: z.int(),
    /** Number of files with results. */
    fileCount: z.int(),
    /** goToDefinition, goToImplementation and findReferences. */
    locations: z
      .array(
        Location.unwrap().extend({
          /** The line, if the file is in the project and may be read. */
          text: z.string().optional(),
        }),
      )
      .optional(),
    /** hover: Markdown or plain text. */
    hover: z.string().optional(),
    /** documentSymbol, workspaceSymbol and the calls of a function. */
    symbols: z
      .array(
        Location.unwrap().extend({
          name: z.string(),
          kind: z.string(),
          depth: z.int(),
          container: z.string().optional(),
        }),
      )
      .optional(),
    /** diagnostics: problems in the file. */
    diagnostics: z
      .array(
        Location.unwrap().extend({
          severity: z.enum(['error', 'warning', 'information', 'hint']),
          message: z.string(),
          code: z.string().optional(),
          source: z.string().optional(),
        }),
      )
      .optional(),
    /** diagnostics: the server may still be looking. */
    isPartial: z.boolean().optional(),
  }),
);
export type LspOutput = Readonly<z.infer<typeof LspOutput>>;
