import { z } from 'zod';
import { FilePath } from '../files/access/input-fields.js';
import type { LspPlaceOperation } from '../capabilities/language-servers.js';

/** The operations about a place in a file. */
const PLACE_OPERATIONS = [
  'goToDefinition',
  'findReferences',
  'hover',
  'goToImplementation',
  'prepareCallHierarchy',
  'incomingCalls',
  'outgoingCalls',
] as const satisfies readonly LspPlaceOperation[];

const Place = z.int().positive();

export const LspInput = z.object({
  operation: z
    .enum([...PLACE_OPERATIONS, 'documentSymbol', 'workspaceSymbol', 'diagnostics'])
    .describe('What to ask the language server'),
  filePath: FilePath.describe(
    'The file: an absolute path, or one relative to the working folder. For workspaceSymbol any file of the language',
  ),
  line: Place.optional().describe(
    'The line of the symbol, counted from 1 as Read shows it. For all operations about one symbol',
  ),
  character: Place.optional().describe(
    'The character in the line at which the symbol begins, counted from 1. For the same operations as line',
  ),
  query: z
    .string()
    .max(1_000)
    .optional()
    .describe('The name of a symbol, or a part of it. For workspaceSymbol'),
});
export type LspInput = z.infer<typeof LspInput>;

/** The question of an input, without the file. */
export type Question =
  | { readonly operation: LspPlaceOperation; readonly line: number; readonly character: number }
  | { readonly operation: 'documentSymbol' | 'diagnostics' }
  | { readonly operation: 'workspaceSymbol'; readonly query: string };

/** Read the question of an input. @returns the problem of an input that lacks a field of its operation */
export function toQuestion({ operation, line, character, query }: LspInput): Question | string {
  switch (operation) {
    case 'goToDefinition':
    case 'findReferences':
    case 'hover':
    case 'goToImplementation':
    case 'prepareCallHierarchy':
    case 'incomingCalls':
    case 'outgoingCalls':
      if (line !== undefined && character !== undefined) return { operation, line, character };
      return `${operation} needs line and character: the place where the symbol begins, counted from 1.`;
    case 'workspaceSymbol':
      if (query !== undefined && query.trim() !== '') return { operation, query };
      return 'workspaceSymbol needs query: the name of a symbol, or a part of it.';
    case 'documentSymbol':
    case 'diagnostics':
      return { operation };
    default:
      return operation satisfies never;
  }
}
