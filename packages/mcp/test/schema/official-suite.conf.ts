import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRemoteSchema, compileSchema } from '../../src/schema/schema-compile.ts';

/** The folder of Debian's package `libtest-json-schema-acceptance-perl`, which carries the official suite (MIT). */
const DEBIAN_FOLDER = '/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance';
const folder = join(process.env['LINEWIRE_SCHEMA_SUITE'] ?? DEBIAN_FOLDER, 'tests/draft2020-12');

interface Group {
  readonly description: string;
  readonly schema: never;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/** Schemas that are refused, by the reason. Nothing is ever fetched, the meta-schema of JSON Schema included. */
const refused: readonly (readonly [file: RegExp, message: RegExp])[] = [
  [/^refRemote\.json$/, /nothing is ever fetched$/],
  [/./, /"https:\/\/json-schema\.org\/draft\/2020-12\/schema" is not in this schema/],
  [/^dynamicRef\.json$/, /"(tree|extendible-dynamic-ref)\.json" is not in this schema/],
  [/^(optional\/)?(cross-draft|vocabulary)\.json$/, /"http:\/\/localhost:1234\/.*" is not in this schema/],
  [/^ref\.json$/, /"http:\/\/localhost:1234\/.*" is not in this schema/],
  // Rules of another draft would be silently ignored.
  [/^optional\/dependencies-compatibility\.json$/, /keyword "dependencies" is of another draft/],
];

/** Values that are judged otherwise: dialects of one's own are not read, and `format` is an annotation in all. */
const differences: ReadonlySet<string> = new Set([
  'vocabulary.json: schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates',
  'optional/format-assertion.json: schema that uses custom metaschema with format-assertion: false: format-assertion: false: invalid string',
  'optional/format-assertion.json: schema that uses custom metaschema with format-assertion: true: format-assertion: true: invalid string',
]);

const present = existsSync(folder);
const hint =
  'apt-get install libtest-json-schema-acceptance-perl, or LINEWIRE_SCHEMA_SUITE=folder with tests/draft2020-12';

describe.skipIf(!present)(`the official suite${present ? '' : ` SKIPPED: ${hint}`}`, () => {
  const files = present
    ? [...readdirSync(folder), ...readdirSync(join(folder, 'optional')).map((name) => `optional/${name}`)]
        .filter((name) => name.endsWith('.json'))
        .sort()
    : [];
  const met = new Set<string>();
  let agreed = 0;

  it.each(files)('%s is judged as it says', (file) => {
    const groups = JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly Group[];
    for (const { description, schema, tests } of groups) {
      for (const compile of [compileSchema, compileRemoteSchema]) {
        const title = `${file}: ${description}`;
        let check: ReturnType<typeof compile>;
        try {
          check = compile(schema, 'suite');
        } catch (error) {
          const { message } = error as Error;
          const listed = refused.some(([name, reason]) => name.test(file) && reason.test(message));
          expect(listed, `${title}: ${message}`).toBe(true);
          continue;
        }
        if (file.includes('dependencies-compatibility')) continue; // an annotation in a peer's schema
        for (const test of tests) {
          const name = `${title}: ${test.description}`;
          const fits = check.check(test.data) === undefined;
          if (differences.has(name)) met.add(name);
          expect(fits, name).toBe(differences.has(name) ? !test.valid : test.valid);
          agreed++;
        }
      }
    }
  });

  it('every listed difference is met, and the suite is whole', () => {
    expect([...differences].filter((name) => !met.has(name))).toEqual([]);
    expect(agreed).toBeGreaterThan(2_000);
  });
});
