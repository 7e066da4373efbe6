import { McpError } from '../errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { KeywordReader } from './keyword-reader.ts';
import { unknownKeywordFault } from './keywords.ts';
import { References, type Scope } from './references.ts';
import { AllOf, AnyOf, Conditional, Not, OneOf } from './rules/alternatives.ts';
import { Contains, PrefixItems, UnevaluatedItems, UniqueItems } from './rules/array-rules.ts';
import {
  DependentRequired,
  DependentSchemas,
  ObjectRules,
  UnevaluatedProperties,
} from './rules/object-rules.ts';
import { isObject, type Rule } from './rules/rule.ts';
import { PropertyRule, SchemaCheck } from './schema-check.ts';
import { beginsResource, MAX_SCHEMA_DEPTH } from './schema-document.ts';

/** Subschemas of one compiled schema, one that is referred to counted once: some 500 bytes each. */
const MAX_SUBSCHEMAS = 100_000;
/** Length of a schema that a peer has sent, as JSON, in UTF-16 units. */
const MAX_REMOTE_LENGTH = 256 * 1024;

/**
 * Turns a schema of this process into something that can be checked against.
 *
 * @param where - names the schema in the error: the tool's name.
 * @throws McpError `SCHEMA_UNSUPPORTED` for a keyword that seems misspelt or is of another draft, one with a value of
 *   the wrong form, a reference that leads out of the document or in a circle, or nesting deeper than 64.
 */
export function compileSchema(schema: JsonSchema | boolean, where: string): SchemaCheck {
  return new Compiler(schema, where, false).compileAll();
}

/**
 * Turns a schema that a peer has sent into something that can be checked against. Unknown keywords are annotations;
 * a pattern whose repeats are nested is not checked, since it may take for ever.
 *
 * @throws McpError `SCHEMA_UNSUPPORTED` as `compileSchema`, and for one longer than 256 KiB.
 */
export function compileRemoteSchema(schema: unknown, where: string): SchemaCheck {
  // Before it is walked: a peer's schema is JSON, so it is neither cyclic nor deeper than a frame may be.
  const length = JSON.stringify(schema)?.length ?? 0;
  if (length > MAX_REMOTE_LENGTH) {
    throw new McpError(
      'SCHEMA_UNSUPPORTED',
      `Schema of ${where} has ${length} characters; at most ${MAX_REMOTE_LENGTH} are checked`,
    );
  }
  return new Compiler(schema, where, true).compileAll();
}

/** Of `true` and `false`, which refer to nothing. */
const NO_SCOPE: Scope = { root: {}, outer: undefined };

class Compiler {
  private readonly root: unknown;
  private readonly where: string;
  private readonly remote: boolean;
  private readonly references: References;
  private count = 0;

  constructor(root: unknown, where: string, remote: boolean) {
    this.root = root;
    this.where = where;
    this.remote = remote;
    this.references = new References(
      (schema, scope, at) => this.compile(schema, scope, at, 0),
      (at, why) => this.refuse(at, why),
    );
  }

  compileAll(): SchemaCheck {
    if (!isObject(this.root)) return this.compile(this.root, NO_SCOPE, '#', 0);
    const check = this.compile(this.root, { root: this.root, outer: undefined }, '#', 0);
    this.references.resolveAll(this.root, check);
    return check;
  }

  private refuse(at: string, why: string): never {
    throw new McpError('SCHEMA_UNSUPPORTED', `Schema of ${this.where} at ${at}: ${why}`);
  }

  private compile(schema: unknown, outer: Scope, at: string, depth: number): SchemaCheck {
    const check = new SchemaCheck();
    if (schema === true) return check;
    if (schema === false) {
      check.never = true;
      return check;
    }
    if (!isObject(schema)) return this.refuse(at, 'must be an object or a boolean');
    if (depth > MAX_SCHEMA_DEPTH) return this.refuse(at, `is nested deeper than ${MAX_SCHEMA_DEPTH}`);
    if (++this.count > MAX_SUBSCHEMAS) this.refuse(at, `there are more than ${MAX_SUBSCHEMAS} subschemas`);
    const scope = schema !== outer.root && beginsResource(schema) ? { root: schema, outer } : outer;
    const reader = new KeywordReader(schema, this.remote, (why) => this.refuse(at, why));
    const rules: Rule[] = [];
    /** A subschema under a keyword, or under a name or place in it. */
    const sub = (keyword: string, part: unknown, step?: string | number): SchemaCheck =>
      this.compile(
        part,
        scope,
        step === undefined ? `${at}/${keyword}` : `${at}/${keyword}/${step}`,
        depth + 1,
      );
    const one = (keyword: string): SchemaCheck | undefined =>
      schema[keyword] === undefined ? undefined : sub(keyword, schema[keyword]);
    const list = (keyword: string): SchemaCheck[] =>
      reader.list(keyword).map((part, index) => sub(keyword, part, index));
    const map = (keyword: string): [string, SchemaCheck][] =>
      Object.entries(reader.map(keyword)).map(([name, part]) => [name, sub(keyword, part, name)]);
    let object: ObjectRules | undefined;
    const objectRules = (): ObjectRules => {
      object ??= new ObjectRules();
      return object;
    };

    for (const keyword of Object.keys(schema)) {
      switch (keyword) {
        case 'type':
          reader.readType(check);
          break;
        case 'enum':
        case 'const':
          reader.readAllowed(keyword, check, rules);
          break;
        case 'minimum':
        case 'maximum':
        case 'exclusiveMinimum':
        case 'exclusiveMaximum':
        case 'multipleOf':
          check.hasNumberRules = true;
          check[keyword] = keyword === 'multipleOf' ? reader.step(keyword) : reader.number(keyword);
          break;
        case 'minLength':
        case 'maxLength':
          check.hasStringRules = true;
          check[keyword] = reader.count(keyword);
          break;
        case 'pattern':
          check.pattern = reader.pattern(keyword, schema[keyword]);
          check.hasStringRules ||= check.pattern !== undefined;
          break;
        case 'minItems':
        case 'maxItems':
          check[keyword] = reader.count(keyword);
          break;
        case 'items':
          // `true` judges nothing, but says that the items are looked at.
          if (Array.isArray(schema[keyword]))
            this.refuse(at, 'items must be one schema; a list is prefixItems');
          check.items = sub(keyword, schema[keyword]);
          break;
        case 'prefixItems': {
          const checks = list(keyword);
          check.itemsFrom = checks.length;
          rules.push(new PrefixItems(checks));
          break;
        }
        case 'contains':
          rules.push(
            new Contains(
              sub(keyword, schema[keyword]),
              reader.count('minContains', 1),
              reader.count('maxContains', Number.POSITIVE_INFINITY),
            ),
          );
          break;
        case 'uniqueItems':
          if (reader.boolean(keyword)) rules.push(new UniqueItems());
          break;
        case 'additionalProperties':
          objectRules().additional = sub(keyword, schema[keyword]);
          break;
        case 'patternProperties':
          objectRules().patterns = map(keyword).flatMap(([source, part]) => {
            const pattern = reader.pattern(keyword, source);
            return pattern === undefined ? [] : [{ pattern, check: part }];
          });
          break;
        case 'propertyNames':
          objectRules().names = sub(keyword, schema[keyword]);
          break;
        case 'minProperties':
          objectRules().minimum = reader.count(keyword);
          break;
        case 'maxProperties':
          objectRules().maximum = reader.count(keyword);
          break;
        case 'dependentRequired':
          rules.push(new DependentRequired(reader.nameLists(keyword)));
          break;
        case 'dependentSchemas':
          rules.push(new DependentSchemas(new Map(map(keyword))));
          break;
        case 'allOf':
          rules.push(new AllOf(list(keyword)));
          break;
        case 'anyOf':
          rules.push(new AnyOf(list(keyword)));
          break;
        case 'oneOf':
          rules.push(new OneOf(list(keyword)));
          break;
        case 'not':
          rules.push(new Not(sub(keyword, schema[keyword])));
          break;
        case 'if':
          rules.push(new Conditional(sub(keyword, schema[keyword]), one('then'), one('else')));
          break;
        case '$ref':
        case '$dynamicRef':
          rules.push(
            this.references.defer(reader.text(keyword), keyword === '$dynamicRef', scope, `${at}/${keyword}`),
          );
          break;
        case 'unevaluatedProperties':
          check.unevaluated ??= [];
          check.unevaluated.push(new UnevaluatedProperties(sub(keyword, schema[keyword])));
          break;
        case 'unevaluatedItems':
          check.unevaluated ??= [];
          check.unevaluated.push(new UnevaluatedItems(sub(keyword, schema[keyword])));
          break;
        case 'properties':
        case 'required': // read together below
        case 'then':
        case 'else':
        case 'minContains':
        case 'maxContains': // read with `if` and `contains`; nothing without them
        case '$defs': // compiled when referred to
        case '$anchor':
        case '$dynamicAnchor':
          break;
        default: {
          const fault = this.remote ? undefined : unknownKeywordFault(keyword, schema[keyword]);
          if (fault !== undefined) this.refuse(at, fault);
        }
      }
    }
    const properties = map('properties');
    const needed = new Set(reader.names('required', schema['required'] ?? []));
    check.properties = [
      ...properties.map(([key, part]) => new PropertyRule(key, part, needed.delete(key))),
      ...[...needed].map((key) => new PropertyRule(key, undefined, true)),
    ];
    if (object !== undefined) {
      object.known = new Set(properties.map(([key]) => key));
      check.objectRules = object;
    }
    if (rules.length > 0 || check.unevaluated !== undefined) check.rules = rules;
    return check;
  }
}
