import RelayStore

private let device = graphql(
  """
  query DeviceQuery($id: DeviceID!) { device(id: $id) { ...Device_device peers { id name } } }
  fragment Device_device on Device { id name }
  mutation RenameDeviceMutation($id: DeviceID!, $name: String!) @raw_response_type {
    renameDevice(id: $id, name: $name) { id name }
  }
  mutation DeleteDevicesMutation { deleteDevices { deletedID @deleteRecord deletedIDs @deleteRecord } }
  """)
