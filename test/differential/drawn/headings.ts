/** What a heading of kro's documentation is about: rows of the table, or why no package shows it. */
export type About = { headings: RegExp } & ({ rows: readonly string[] } | { outside: string });

const PROSE = 'describes no input';
const RUNNING = 'is about a running controller';

/** The first that matches a heading (`page: heading`) counts. */
export const abouts: readonly About[] = [
  {
    headings:
      /: (?:Next Steps|Overview|How it Works|How It Works|Best Practices|Operational Notes|Considerations|Debugging|Building Blocks|Syntax|Examples?|Complete Example|Basic Structure|Key Points|Instances|Basics|Common Patterns|Practical Scenario|Reference Examples)$/,
    outside: PROSE,
  },
  {
    headings:
      /: (?:Why |When (?:Not|Grouping)|What (?:is|RGDs|Happens)|Typical Use|Single Resource RGD|Multi Resource RGD|Grouping vs|Useful Grouping|Useful Patterns|Available CEL|Library Overview|\d\. (?:Publish|Hide|Keep))/,
    outside: PROSE,
  },
  {
    headings:
      /(?:Graph Revisions|Breaking Changes|Schema Updates|Reactive|Monitoring|Debugging Instance|Watches|Lifecycle|Scaling|Drift|Deletion|Owner References|How kro Manages|Status Updates|Update Phase|RGD Status Conditions|Stage 8|Generated CRDs and Controllers|Ownership and|Degraded evaluation|Empty Collections Are Ready)/,
    outside: RUNNING,
  },
  {
    headings: /concepts\/15-instances.*(?:State|Conditions|Understanding Status|Labels and Ownership)/,
    outside: RUNNING,
  },
  {
    headings: /^docs\/building-abstractions\/10-.*Naming Conventions/,
    rows: ['position: metadata.name', 'position: a label'],
  },
  { headings: /^docs\/building-abstractions\/10-.*merge/, rows: ['function merge'] },
  { headings: /^docs\/building-abstractions\/20-.*Conditional/, rows: ['field spec.resources[].includeWhen'] },
  {
    headings: /^docs\/building-abstractions\/20-/,
    rows: ['field spec.resources', 'kind Deployment', 'kind Service', 'kind NetworkPolicy'],
  },
  {
    headings: /^docs\/building-abstractions\/30-/,
    rows: ['kind Inner', 'kind Innermost', 'read: a whole field of the status of a nested instance'],
  },
  {
    headings: /simple-schema.*(?:Conditions|State|Default Status Fields)/,
    rows: ['status: state', 'status: conditions'],
  },
  { headings: /(?:Additional )?Printer Columns/, rows: ['field spec.schema.additionalPrinterColumns'] },
  { headings: /Short Names and Categories/, rows: ['field spec.schema.shortNames', 'field spec.schema.categories'] },
  { headings: /Array Types/, rows: ['schema: a list'] },
  { headings: /Array Validation/, rows: ['marker minItems', 'marker maxItems', 'marker uniqueItems'] },
  { headings: /String Validation/, rows: ['marker pattern', 'marker minLength', 'marker maxLength'] },
  { headings: /Basic Types/, rows: ['type string', 'type integer', 'type boolean', 'type float'] },
  {
    headings: /Custom Types|Type Definitions|Structure Types/,
    rows: ['schema: a custom type', 'schema: a struct in a struct'],
  },
  { headings: /Cyclic|Recursive|Circular/, outside: 'is about an error that has cases of its own (test/conformance)' },
  { headings: /Map Types/, rows: ['schema: a map'] },
  {
    headings: /Nested Arrays and Maps/,
    rows: ['schema: a list of lists', 'schema: a map of maps', 'schema: a list of maps', 'schema: a map of lists'],
  },
  {
    headings: /Single vs Multi-Expression|String Templat|Two Types of Expressions|Standalone|String Templates/,
    rows: ['position: a text around it', 'position: a whole map'],
  },
  {
    headings:
      /Status Fields|Structured Status|The status Section|Exposing Collection Data|Aggregating Status|Status Schema|Resource Status/,
    rows: ['status: a map', 'status: a list', 'status: a text'],
  },
  {
    headings: /Supported Markers|Validation and Documentation/,
    rows: [
      'marker required',
      'marker default',
      'marker description',
      'marker enum',
      'marker minimum',
      'marker maximum',
      'marker immutable',
      'marker validation',
    ],
  },
  { headings: /Unstructured Objects|PreserveUnknownFields/, rows: ['schema: object', 'kind Widget'] },
  {
    headings:
      /: Simple Schema$|Defining Spec Fields|The spec Section|What the Schema Defines|Schema Definition|How kro Uses the Schema|CRD Generation|Schema Validation|Built-in/,
    rows: ['field spec.schema.spec'],
  },
  {
    headings:
      /Instance Validation|Evaluation Phase|Validation Phase|Validation Errors|What kro Validates|The Validation Process|Static Analysis|Type Safety|How Type Checking|Type Checking and|Reference Validation|Template Validation|Naming Validation|Condition Expression Validation|Expression Type Checking|Unknown (?:API|Field)|Type Mismatch|Property Verification|Nested Field Type/,
    rows: ['an unknown field', 'null in an RGD', 'field spec.resources[].template'],
  },
  {
    headings: /API Identification|: Group$|Annotations|Labels and Annotations to CRDs/,
    rows: [
      'field spec.schema.group',
      'field spec.schema.apiVersion',
      'field spec.schema.metadata.labels',
      'field spec.schema.metadata.annotations',
    ],
  },
  { headings: /: Scope$/, rows: ['field spec.schema.scope', 'an instance of a cluster-scoped kind'] },
  {
    headings:
      /CEL Functions in Status|Anatomy|Resource Structure|Resource Templates with CEL|How kro Processes|What You Can Reference|Automatic Dependency|Graph Inference|DAG|Dependency|Dependencies|Topological Order|AST (?:Parsing|Analysis)|Referencing Data|Resource Variables|`schema` Variable|Field Paths/,
    rows: ['field spec.resources[].id', 'field spec.resources[].template', 'read: an element by index'],
  },
  { headings: /conditional-creation/, rows: ['field spec.resources[].includeWhen', 'includeWhen reads a node'] },
  { headings: /03-readiness.*Optional/, rows: ['function _?._'] },
  { headings: /03-readiness/, rows: ['field spec.resources[].readyWhen'] },
  {
    headings: /collections.*(?:Limit|Explosion|Not Deterministic|Collection Labels|Constraints)/,
    outside: 'is about a limit, an order or labels that have cases of their own (test/conformance)',
  },
  {
    headings: /collections.*(?:Multiple Iterators|Combination Order|Iterator Dimensions)/,
    rows: ['forEach with two iterators'],
  },
  { headings: /collections.*(?:Readiness)/, rows: ['readyWhen reads each'] },
  { headings: /collections.*(?:Conditional|Collection-wide)/, rows: ['forEach and includeWhen'] },
  {
    headings: /collections.*(?:Iterating Over Maps|Collection Sources)/,
    rows: ['function transformList', 'forEach over maps'],
  },
  {
    headings: /collections.*(?:Another Collection|Referencing|In a Resource|External)/,
    rows: ['forEach over objects of a node', 'read: a collection in a loop'],
  },
  {
    headings: /04-collections/,
    rows: ['field spec.resources[].forEach', 'position: a list of forEach', 'read: a field of an iterator'],
  },
  { headings: /external-references.*sortBy/, rows: ['function sortBy'] },
  { headings: /external-references.*(?:Optional|orValue)/, rows: ['function orValue', 'function _?._'] },
  { headings: /external-references.*CEL Expressions in Selectors/, rows: ['position: a selector'] },
  {
    headings: /external-references.*(?:Collection|Selector)/,
    rows: ['field spec.resources[].externalRef.metadata.selector'],
  },
  { headings: /05-external-references/, rows: ['field spec.resources[].externalRef', 'a reference by name'] },
  { headings: /cel-expressions.*(?:What is CEL|CEL is|CEL Expressions|CEL Syntax)/, outside: PROSE },
  {
    headings: /cel-expressions.*(?:Exact Type|Structural|Compatibility|Building Complex)/,
    rows: ['kind Gadget', 'position: a whole map'],
  },
  { headings: /(?:Structural|Map\/Struct|Type Compatibility)/, rows: ['kind Gadget', 'position: a whole map'] },
  { headings: /cel-expressions.*Array Indexing/, rows: ['read: an element by index', 'read: an element, optional'] },
  { headings: /cel-expressions.*Conditional Values/, rows: ['function _?_:_'] },
  {
    headings: /cel-expressions.*(?:Converting|transform)/,
    rows: ['function transformList', 'function transformMap', 'function transformMapEntry'],
  },
  {
    headings: /cel-expressions.*(?:Escaping|Multiline|Delimiters)/,
    outside: 'is about the text of an expression, which has tests of its own (test/kro/compile/scan.test.ts)',
  },
  { headings: /cel-expressions.*(?:Optional|`\?`)/, rows: ['function _?._', 'function has'] },
  { headings: /cel-expressions.*String Formatting/, rows: ['function format'] },
  { headings: /cel-expressions.*Lists/, rows: ['function map', 'function filter', 'function all', 'function exists'] },
  {
    headings: /cel-libraries.*CIDR/,
    rows: [
      'function cidr',
      'function containsIP',
      'function containsCIDR',
      'function prefixLength',
      'function masked',
      'function isCIDR',
    ],
  },
  { headings: /cel-libraries.*Encoders/, rows: ['function base64.encode', 'function base64.decode'] },
  { headings: /cel-libraries.*Hash/, rows: ['function hash.sha256', 'function hash.md5', 'function hash.fnv64a'] },
  {
    headings: /cel-libraries.*IP$/,
    rows: ['function ip', 'function isIP', 'function family', 'function ip.isCanonical'],
  },
  {
    headings: /cel-libraries.*Index Mutation/,
    rows: ['function lists.setAtIndex', 'function lists.insertAtIndex', 'function lists.removeAtIndex'],
  },
  { headings: /cel-libraries.*JSON/, rows: ['function json.marshal', 'function json.unmarshal'] },
  {
    headings: /cel-libraries.*Lists/,
    rows: [
      'function sum',
      'function min',
      'function max',
      'function isSorted',
      'function indexOf',
      'function distinct',
    ],
  },
  { headings: /cel-libraries.*Maps/, rows: ['function merge', 'function deepMerge'] },
  { headings: /cel-libraries.*Omit/, rows: ['function omit'] },
  {
    headings: /cel-libraries.*Quantity/,
    rows: ['function quantity', 'function asInteger', 'function sign', 'function asApproximateFloat'],
  },
  { headings: /cel-libraries.*Random/, rows: ['function random.seededString', 'function random.seededInt'] },
  { headings: /cel-libraries.*Regex/, rows: ['function find', 'function findAll'] },
  { headings: /cel-libraries.*Runtime/, rows: ['function newCondition', 'function condition'] },
  {
    headings: /cel-libraries.*Semver/,
    rows: ['function semver', 'function major', 'function minor', 'function patch', 'function isSemver'],
  },
  {
    headings: /cel-libraries.*Strings/,
    rows: ['function charAt', 'function replace', 'function split', 'function trim', 'function substring'],
  },
  { headings: /cel-libraries.*Two-Variable/, rows: ['function transformMap', 'function existsOne'] },
  {
    headings: /cel-libraries.*URLs/,
    rows: ['function url', 'function getHost', 'function getQuery', 'function isURL'],
  },
  { headings: /cel-libraries.*(?:CEL Libraries|cel-go Libraries|Kubernetes Libraries|kro Libraries)/, outside: PROSE },
  { headings: /status-conditions.*(?:per collection item)/, rows: ['status: a condition for each item'] },
  { headings: /06-status-conditions/, rows: ['status: conditions', 'function condition'] },
];
