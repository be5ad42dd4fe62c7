import { UsageError } from '../../api/errors.js';
import type { SettingSource } from '../../api/types.js';
import type { CommandLine } from './command-line.js';
import { oneOf } from './flag-readers.js';
import { choicesOf } from './flags.js';
import type { McpArguments, RuleArguments, SettingsArguments } from './run-arguments.js';

/** Read the flags for the sources of settings. */
export function readSettings(line: CommandLine): SettingsArguments {
  return {
    settings: line.values('--settings'),
    settingSources: readSources(line),
    addDirectories: line.values('--add-dir'),
    trustsFolder: line.given.has('--trust'),
  };
}

/** The value of `--setting-sources`. */
export function readSources(line: CommandLine): readonly SettingSource[] | undefined {
  const names = line
    .value('--setting-sources')
    ?.split(',')
    .map((name) => name.trim());
  const sources = choicesOf('--setting-sources');
  return names
    ?.filter((name) => name !== '')
    .map((name) => {
      const known = sources.find((source) => source === name);
      if (known === undefined)
        throw new UsageError(
          `--setting-sources: there is no "${name}". Choose from ${sources.join(', ')}.`,
        );
      return known;
    });
}

/** Read the flags for permissions. @throws UsageError */
export function readRules(line: CommandLine): RuleArguments {
  return {
    permissionMode: oneOf(line, '--permission-mode'),
    allowedTools: line.values('--allowedTools'),
    disallowedTools: line.values('--disallowedTools'),
    skipsPermissions: line.given.has('--dangerously-skip-permissions'),
    allowsBypass: line.given.has('--allow-dangerously-skip-permissions'),
    ...readSettings(line),
  };
}

/** Read the flags for MCP servers. */
export function readServers(line: CommandLine): McpArguments {
  return {
    mcpConfigs: line.values('--mcp-config'),
    usesOnlyGivenServers: line.given.has('--strict-mcp-config'),
  };
}
