import RelayStore

// All enums, inputs and scalars of the schema are generated into this module.
