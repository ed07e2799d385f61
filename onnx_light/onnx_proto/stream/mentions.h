// Whether any file of a folder has a certain text in it: before what a killed save left behind is removed, nothing may refer to it.
#pragma once

#include <string>

#include "onnx_proto/stream/new_file.h"

namespace ONNX_LIGHT_NAMESPACE::utils {

/// False only if every regular file in the folder has been read and none has the text. Folders with more than some bytes are not read.
bool MayBeMentioned(const FolderPlace& folder, const std::string& text);

}  // namespace ONNX_LIGHT_NAMESPACE::utils
