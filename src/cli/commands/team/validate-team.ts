import type { RunCommand } from '../../command.js';
import { readSources } from '../../arguments/read-settings.js';
import { printJson, printLines, warn } from '../../output/print.js';
import { loadTeamHere } from './load-team-here.js';
import { findNeededApprovals } from './needed-approvals.js';

/** `troupe team validate`. @returns the exit code: 2 if the file is invalid */
export const run: RunCommand = async (line, world) => {
  const [file = ''] = line.words;
  const isJson = line.given.has('--json');
  const sources = readSources(line);
  const team = await loadTeamHere(file, { sources, isJson }, world);
  if (team === undefined) return 2;
  const approvals = await findNeededApprovals(team, sources, world);
  const { name, tasks } = team;
  const count = Object.keys(tasks).length;
  if (isJson) await printJson([{ valid: true, name, tasks: Object.keys(tasks), approvals }]);
  else {
    await printLines([
      `${file}: ${name}, ${count} task${count === 1 ? '' : 's'}: the file is valid.`,
    ]);
    warn(approvals.map(({ task, line: told }) => `${task} ${told}`));
  }
  return 0;
};
