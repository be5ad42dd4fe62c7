import {
  COMPLETED_COMMANDS,
  COMPLETED_RUN_FLAGS,
  type CompletedFlag,
  type Offer,
} from './values.js';

/** A script for fish: a file `troupe.fish` in `~/.config/fish/completions`. */
export function fishScript(): string {
  const names = COMPLETED_COMMANDS.map(({ name }) => name).join(' ');
  const runs = `not __fish_seen_subcommand_from ${names}`;
  return [
    '# troupe for fish: troupe completion fish > ~/.config/fish/completions/troupe.fish',
    'complete -c troupe -e',
    ...COMPLETED_RUN_FLAGS.map((flag) => lineOf(runs, flag)),
    ...COMPLETED_COMMANDS.flatMap(({ name, help, flags, words }) => {
      const isIn = `__fish_seen_subcommand_from ${name}`;
      const offered = words === 'files' ? [] : [`complete -c troupe -n ${quote(isIn)} -f`];
      return [
        `complete -c troupe -n __fish_use_subcommand -a ${name} -d ${quote(help)}`,
        ...flags.map((flag) => lineOf(isIn, flag)),
        ...(words === 'nothing'
          ? offered
          : [`complete -c troupe -n ${quote(isIn)} ${valueOf(words)}`]),
      ];
    }),
  ].join('\n');
}

function lineOf(condition: string, { names, help, value }: CompletedFlag): string {
  const forms = names.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  const parts = [
    'complete -c troupe',
    `-n ${quote(condition)}`,
    ...forms,
    ...(value === undefined ? [] : [valueOf(value.offer)]),
    `-d ${quote(help)}`,
  ];
  return parts.join(' ');
}

function valueOf(offer: Offer): string {
  if (offer === 'nothing') return '-x';
  if (offer === 'files') return '-r -F';
  if (offer === 'folders') return "-x -a '(__fish_complete_directories)'";
  return `-x -a ${quote(offer.join(' '))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
