import type { RunCommand } from '../command.js';
import type { PermissionRequest } from '../../api/types.js';
import { UsageError } from '../../api/errors.js';
import { tryParseJson } from '../../api/json.js';
import { filled, oneOf } from '../arguments/flag-readers.js';
import { decideRequest } from '../control/decide-request.js';
import { toApproval } from '../control/to-approval.js';
import { printLines } from '../output/print.js';

/**
 * `troupe approve`: allow a permission request of a running agent, or answer its question.
 *
 * @returns the exit code
 * @throws UsageError if no request has the ID, or a flag does not fit it; TaskFailedError if the decision does not count
 */
export const run: RunCommand = async (line, world) => {
  const [requestId = ''] = line.words;
  const wanted = {
    always: oneOf(line, '--always'),
    answers: line.values('--answer'),
    input: editedInput(filled(line, '--edit')),
    message: filled(line, '--message'),
  };
  const toAnswer = ({ request }: { readonly request: PermissionRequest }) =>
    toApproval(request, wanted);
  await printLines([await decideRequest(requestId, toAnswer, { by: 'troupe approve', world })]);
  return 0;
};

/** @throws UsageError if the value of `--edit` is not a JSON object */
function editedInput(text: string | undefined): PermissionRequest['input'] | undefined {
  if (text === undefined) return undefined;
  const input = tryParseJson(text);
  if (typeof input === 'object' && input !== null && !Array.isArray(input))
    return input as PermissionRequest['input']; // an object has text keys
  throw new UsageError(
    '--edit: this is not a JSON object. Give the whole input: {"command": "npm test"}.',
  );
}
