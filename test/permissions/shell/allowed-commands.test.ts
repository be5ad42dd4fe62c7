import { describe, expect, it } from 'vitest';
import { decidedOtherwise } from '../corpus.js';

describe('rules that allow', () => {
  it('look through plain wrappers, never through others', () => {
    const allow = ['Bash(npm test *)', 'Bash(watch *)', 'Bash(find *)', 'Bash(setsid npm test)'];
    const fine = [
      'npm test',
      'timeout 5 npm test a',
      'nice -n 5 npm test',
      'nohup npm test',
      'ls | xargs npm test',
      'TZ=UTC npm test',
      'setsid npm test',
      'find . -name x',
      'npm test 2>/dev/null',
      'npm test *.ts',
      'npm test $X',
    ];
    expect(decidedOtherwise('allow', fine, { allow })).toEqual([]);
    const asking = [
      'npm tests',
      'timeout -s KILL 5 npm test',
      'sudo npm test',
      'watch ls',
      'find . -delete',
      'A=1 npm test',
      'npm test > out',
      'npm test $(x)',
      'npm test; curl x',
      '"npm" test',
      'cd src && git push',
    ];
    expect(decidedOtherwise('ask', asking, { allow })).toEqual([]);
  });

  it('for everything trust the shell as a whole, except for commands that no rule can allow', () => {
    const bare = { allow: ['Bash'] };
    const fine = ['npm install', 'curl x | bash', 'rm -rf dist', 'watch ls', 'export A=1'];
    expect(decidedOtherwise('allow', [...fine, 'ls > /etc/x', '$X', 'ls "'], bare)).toEqual([]);
    expect(decidedOtherwise('ask', ['rm -rf /', 'ls > .npmrc', 'ls\u202e'], bare)).toEqual([]);
  });
});

describe('parameters among arguments', () => {
  const bare = { allow: ['Bash'] };
  /** Everything, but by a pattern. */
  const wide = { allow: ['Bash(* *)'] };
  const plain = [
    'for i in 1 2; do echo $i; done',
    'for f in a b; do node $f && echo "done: ${f}.js"; done',
    'echo done && echo $HOME',
    'node script.js $FOO',
    'node a"$A"b${B}c $1 "$@" $* $? $! $$ $#',
    'timeout 5 node "$X"',
    'LANG=C node $X',
    'node ~/$X',
    'cp a "$DIR"',
    'git log "$X" "${Y}..HEAD"',
    "printf '%s\\n' $X",
    '(node $X) | grep $Y',
    'if node $X; then make $Y; fi',
    'cat <<< a "$X"',
    'node $X > /dev/null 2>&1',
    'make $X_Y$Z',
    'bash script.sh $X',
    'sh -x script.sh "$X"',
  ];

  it('are allowed by a rule for everything', () => {
    expect(decidedOtherwise('allow', plain, bare)).toEqual([]);
    expect(decidedOtherwise('allow', plain, { allow: ['Bash(*)'] })).toEqual([]);
    expect(decidedOtherwise('allow', plain, { ...bare, mode: 'dontAsk' })).toEqual([]);
  });

  it('are allowed by a rule that ends in a wildcard, or says exactly this', () => {
    const allow = ['Bash(node *)', 'Bash(make all $X)', 'Bash(l*)', 'Bash(npm run:*)', 'Bash(* z)'];
    const fine = [
      'node $X',
      'node script.js "$FOO"',
      'nohup node $X',
      'for i in 1 2; do node $i; done',
      'make all $X',
      'ls $X',
      'npm run "$X"',
    ];
    expect(decidedOtherwise('allow', fine, { allow })).toEqual([]);
    const asking = [
      'make $X',
      'make all $Y',
      'make all "$X"',
      'make all ${X}',
      'make all $X $X',
      'node$X',
      'npm $X',
      'npm $X run a',
      'a $X z',
      'node $X; make $X',
      'echo $X',
    ];
    expect(decidedOtherwise('ask', asking, { allow })).toEqual([]);
  });

  it('are never read-only, and acceptEdits never accepts them', () => {
    const asking = ['echo $X', 'ls "$X"', 'cat $1', 'touch $X', 'mkdir "$X"', 'cp a $X', 'mv $X b'];
    const all = [...asking, 'git log "$X"', 'sed -i s/a/b/ $X', 'for i in a; do ls $i; done'];
    for (const mode of ['default', 'acceptEdits'] as const) {
      expect(decidedOtherwise('ask', all, { mode })).toEqual([]);
    }
    expect(decidedOtherwise('deny', all, { mode: 'plan', ...bare })).toEqual([]);
    expect(decidedOtherwise('ask', ['cp -r $X b; cat b/a'], { allow: ['Bash(cp *)'] })).toEqual([]);
  });

  it('are never anything but arguments', () => {
    const asking = [
      '$X',
      '"$X" a',
      'a$X b',
      '$X$Y',
      'timeout 5 $X a',
      'timeout $X node a',
      'nice -n $X node a',
      'nohup "$X"',
      'time $X',
      'command $X a',
      'sudo $X',
      'sudo node $X',
      'bash -c "$X"',
      'bash -c "ls $X"',
      'bash -lc "$X" a',
      'bash -x $X',
      'sh $X',
      'sh -s $X',
      'timeout 5 sh -c $X',
      'env $X node',
      'env A=$X node',
      'watch $X',
      'flock f $X',
      'A=$X',
      'A=$X node a',
      'LANG=$X node a',
      'node > $X',
      'node > "$X"',
      'node < $X',
      'node <<< $X',
      'node a > b$X',
      'node <<E\n$X\nE',
      'for i in $X; do node a; done',
      'case $X in a) node a;; esac',
      'for IFS in a; do node $X; done',
    ];
    expect(decidedOtherwise('ask', asking, wide)).toEqual([]);
  });

  it('are plain', () => {
    const asking = [
      'node ${X:-a}',
      'node ${X:=a}',
      'node ${X@P}',
      'node ${!X}',
      'node ${X[0]}',
      'node ${X[$(ls)]}',
      'node ${#X}',
      'node ${X%a}',
      'node ${X/a/b}',
      'node ${1}',
      'node ${X',
      'node $((X))',
      'node $[X]',
      'node $(X)',
      'node `X`',
      'node $X$(ls)',
      'node "$X`ls`"',
      'node {a,$X}',
      'node $"$X"',
      "node $X$'\\u0041\\c'",
      'node $10',
      'node $1a',
      'node $-',
      'node $é',
      'node ~$X',
      'node $X(a)',
    ];
    expect(decidedOtherwise('ask', asking, wide)).toEqual([]);
  });

  it('are never given to what takes more than arguments', () => {
    const asking = [
      'rm $X',
      'rm -r "$X"',
      '/bin/rm $X',
      '\\rm $X',
      'rmdir $X',
      'nohup rm $X',
      'timeout 5 rm $X',
      'sudo rm $X',
      'env rm $X',
      'find $X',
      'find . -name "$X"',
      'cd $X',
      'cd "$X" && ls',
      'pushd $X',
      'ls | xargs node $X',
      'ls | nohup xargs node $X',
      'eval $X',
      'eval "$X"',
      'builtin eval $X',
      'source $X',
      '. $X',
      'exec $X',
      'exec node $X',
      'trap "$X" EXIT',
      'export $X',
      'export A=$X',
      'declare "$X"',
      'command declare $X',
      'readonly $X',
      'local A=$X',
      'let $X',
      'unset $X',
      'set -- $X',
      'read $X',
      'alias $X',
      'test -v $X',
      '[ -v "$X" ]',
      'printf $X',
      'printf "$X" a',
      'printf -v "$X" a',
      'git log $X',
      'git log "$@"',
      'git $X log',
      'git log "$X" $Y',
      'for i in a; do rm $i; done',
    ];
    expect(decidedOtherwise('ask', asking, wide)).toEqual([]);
  });

  it('are asked for if a rule that denies or asks may be meant for what they are', () => {
    const push = [
      'for i in push; do git "$i" origin; done',
      'git "$X"',
      'git "$X" push',
      'git pu"$X"',
      'timeout 5 git "$X"',
    ];
    const deny = ['Bash(git push *)'];
    expect(decidedOtherwise('ask', push, { ...bare, deny })).toEqual([]);
    expect(decidedOtherwise('ask', push, { ...bare, ask: deny })).toEqual([]);
    const fine = ['node $X', 'git log "$X"', 'git push-x "$X"', 'make push $X'];
    expect(decidedOtherwise('allow', fine, { ...bare, deny })).toEqual([]);
    const paths = ['node $X', 'cat "$X"', 'cp a $X', 'for i in a; do echo $i; done', 'echo "$X"*'];
    const opensNone = ['for i in a; do echo "$i"; done', 'echo $? "$X"', 'printf "%s" "$X"'];
    for (const rule of ['Read(.env)', 'Read(~/.ssh/**)', 'Edit(secret/**)']) {
      expect(decidedOtherwise('ask', paths, { ...bare, deny: [rule] })).toEqual([]);
      expect(decidedOtherwise('ask', paths, { ...bare, ask: [rule] })).toEqual([]);
      expect(decidedOtherwise('allow', opensNone, { ...bare, deny: [rule] })).toEqual([]);
    }
    expect(
      decidedOtherwise('deny', ['cat $HOME/.ssh/a'], { ...bare, deny: ['Read(~/.ssh/**)'] }),
    ).toEqual([]);
    const mode = 'bypassPermissions';
    expect(decidedOtherwise('allow', paths, { mode, deny: ['Read(.env)'] })).toEqual([]);
  });
});

describe('the mode acceptEdits', () => {
  const mode = 'acceptEdits';

  it('accepts file commands inside the workspace', () => {
    const fine = [
      'mkdir -p a/b',
      'mkdir -m 755 a',
      'cp a b',
      'cp a b/',
      'cp -p a b c d',
      'mv .npmrc.bak src',
      'mv a b',
      'rm -r src/x',
      'touch a b',
      'rm "a b"',
      "sed -i.bak 's/a/b/' f",
      "sed -n -i~ -e 's/a/b/' f src/g",
      "sed -Ei.orig 's/[/]/b/' src/f",
      "sed --in-place=.bak 's/a/b/' f",
      'echo x > src/a && rm src/a',
      'timeout 5 rm x',
      'LANG=C rm x',
      'cd src && touch x',
      'touch .claude/worktrees/a/b',
      'touch .troupe/worktrees/a/b',
      'cp --archive a b',
      'cp --recursive a b',
      'cp -pr a b',
      'cp -a a b',
      'cp -R a b',
      'cp -r a b/',
      'rm src/*',
    ];
    expect(decidedOtherwise('allow', fine, { mode })).toEqual([]);
  });

  it('asks for anything else', () => {
    const asking = [
      'cp -t /etc a',
      'mv a /tmp/x',
      'rm *',
      'touch .bashrc',
      "sed -i 's/a/b/w x' f",
      'rm -rf .git',
      'ls | xargs rm',
      'A=1 rm x',
      'cp a .git/hooks/x',
      'touch ~/x',
      'cd .git && touch x',
      'rm',
      'ln -s a b',
      'chmod +x a',
      "sed -i/tmp/x 's/a/b/' f",
      'touch -r /etc/passwd x',
      'cd src; touch ../x',
      'echo x > .envrc',
      'rm --no-preserve-root x',
      'cp evil/.npmrc .',
      'cp evil/.npmrc src/',
      'cp a evil/.envrc src',
      'mv evil/.claude .',
      'mv evil/.claude/ .',
      'mv evil/.git sub',
      'cp -r evil/.claude .',
      'cp a/. b',
      "sed -irc 's/a/b/' .npm",
      'sed -n -i.json p .mcp',
      'sed -in p .mcp.jso',
      "sed -Eirc 's/a/b/' src/.bash",
      "sed -si_profile 's/a/b/' a .bash",
      "sed -i.yml -e 's/a/b/' lefthook",
      "sed --in-place=rc 's/a/b/' .npm",
      "sed -i -irc 's/a/b/' .npm",
      "sed -i'.npmrc*' 's/a/b/' a",
      "sed -i'*rc' 's/a/b/' .npm",
      "sed -i.git/x 's/a/b/' a",
      'cp --backup --suffix=rc a .npm',
      'cp -b -S rc a .npm',
      'cp -bSrc a .npm',
      'cp --update=all a b',
      'mv -b -S rc a .npm',
      'mv --backup=simple --suffix rc a .npm',
      'mv -bSrc a .npm',
      'mv --exchange a b',
      'rm --one-file-system a',
      'rmdir -p src/a',
      'mkdir -Z a',
      'touch -r a b',
      'touch --reference=a b',
      'cp -rL a b',
      'cp -r src/.. b',
      'cp -r src/* b',
      'rm .g*',
    ];
    expect(decidedOtherwise('ask', asking, { mode })).toEqual([]);
  });
});
