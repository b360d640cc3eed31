prec.profile @leaf extends @left {
}
prec.profile @left extends @right {
}
prec.profile @right extends @left {
}
